"""How long a stage took and how much memory it needed."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rulerank.files import write_json

TIMINGS = Path("outputs/timings")


@contextmanager
def timed(stage: str) -> Iterator[dict[str, float]]:
    """Write seconds and peak memory of the block to `outputs/timings/<stage>.json`.

    They are kept apart from the stage's metrics, which are the same for the same inputs.

    Yields
    ------
    dict
        Further measurements to write, e.g. a rate.

    """
    start = time.perf_counter()
    further: dict[str, float] = {}
    yield further
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"seconds": round(time.perf_counter() - start, 2), "peak_memory_mib": round(peak, 1), **further}
    write_json(TIMINGS / f"{stage}.json", figures)
