"""Requests worked on in threads: so many at once, so many waiting, none beyond its deadline."""

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
        Requests worked on side by side.
    waiting : int
        Requests that may wait for one of them.
    deadline : float
        Seconds until a request is given up, its wait included.

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
            Too many requests wait, or the deadline has passed. One that has begun is finished all the same,
            since a thread cannot be stopped, and holds its place till then.

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
        """End the threads once they are done; what waits is dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)
