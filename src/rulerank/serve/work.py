"""Requests processed in threads: a limit on those in progress, on those waiting, and on the time of each."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from rulerank.serve.faults import RequestError

Done = TypeVar("Done")


class Work:
    """The threads of one worker.

    Parameters
    ----------
    threads : int
        Requests processed in parallel.
    waiting : int
        Requests that may wait for a thread.
    deadline : float
        Seconds until a request is abandoned, waiting time included.

    """

    def __init__(self, threads: int, waiting: int, deadline: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="rank")
        self._most, self._deadline = threads + waiting, deadline
        self._begun, self._lock = 0, threading.Lock()

    async def done(self, call: Callable[[], Done]) -> Done:
        """Return what `call` returns, from a thread.

        Raises
        ------
        RequestError
            Too many requests are waiting, or the deadline has passed. A request that has begun is finished
            anyway, because a thread cannot be stopped, and keeps its place until then.

        """
        with self._lock:
            if self._begun >= self._most:
                raise RequestError(503, "busy", "Too many requests are waiting. Try again in a second.")
            self._begun += 1
        future = self._pool.submit(call)
        future.add_done_callback(self._finished)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._deadline)
        except TimeoutError as error:
            raise RequestError(
                503, "deadline", f"Not done within {self._deadline:g} seconds. Try again."
            ) from error

    def _finished(self, _: Future[Done]) -> None:
        with self._lock:
            self._begun -= 1

    def close(self) -> None:
        """End the threads once they are done; waiting requests are dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)
