"""A map over parallel threads, in bounded memory, and what limits the threads of libraries."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
)
"""The variables from which libraries read their number of threads, once, when they are imported."""

MOST_THREADS = 256
"""More threads than any machine that runs a ranker has processors."""

Part = TypeVar("Part")
Done = TypeVar("Done")


def parallel_map(function: Callable[[Part], Done], parts: Iterable[Part], workers: int) -> Iterator[Done]:
    """Apply a function to each part in parallel threads, and yield the results in the order of the parts.

    The results are the same for any number of workers. At most `workers` parts are processed ahead of the
    result that is yielded, so memory use is bounded.

    Parameters
    ----------
    function : callable
        Takes a part. Its first error is raised where its result would be yielded.
    parts : iterable
        Read as workers become free.
    workers : int
        Number of threads; 1 runs everything in the calling thread.

    """
    if workers == 1:
        # A service asks one question at a time: a thread for it would cost more than it saves.
        yield from map(function, parts)
        return
    waiting: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for part in parts:
            waiting.append(pool.submit(function, part))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
