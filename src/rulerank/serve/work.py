"""Requests processed in threads: a limit on those in progress, on those waiting, and on the time of each."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from statistics import fmean
from typing import Any, TypeVar

from rulerank.serve.faults import RequestError

Done = TypeVar("Done")


LATEST = 16
"""Requests over which the usual time of a request is averaged."""


class Work:
    """The threads of one worker.

    Only as many requests may wait as are usually begun in half of the deadline. In a longer queue each would
    be processed just before its deadline, most of them too late, and few would be answered.

    Parameters
    ----------
    threads : int
        Requests processed in parallel.
    waiting : int
        Requests that may wait for a thread, at most.
    deadline : float
        Seconds until a request is abandoned, waiting time included.

    """

    def __init__(self, threads: int, waiting: int, deadline: float) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="rank")
        self._threads, self._waiting, self._deadline = threads, waiting, deadline
        self._begun, self._lock = 0, threading.Lock()
        self._seconds = deque[float](maxlen=LATEST)

    async def done(self, call: Callable[[], Done]) -> Done:
        """Return what `call` returns, from a thread.

        Raises
        ------
        RequestError
            Too many requests are waiting, or the deadline has passed. A request that has begun is finished
            anyway, because a thread cannot be stopped, and keeps its place until then.

        """
        with self._lock:
            if self._begun >= self._threads + self._room():
                raise RequestError(503, "busy", "Too many requests are waiting. Try again in a second.")
            self._begun += 1
        future = self._pool.submit(self._timed, call)
        future.add_done_callback(self._finished)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self._deadline)
        except TimeoutError as error:
            raise RequestError(
                503, "deadline", f"Not done within {self._deadline:g} seconds. Try again."
            ) from error

    async def done_unless_gone(self, call: Callable[[], Done], gone: Coroutine[Any, Any, object]) -> Done:
        """Return what `done` does; a request that waits leaves the queue when `gone` ends.

        Parameters
        ----------
        call : callable
            As for `done`.
        gone : coroutine
            Ends when the client has left.

        Raises
        ------
        RequestError
            As from `done`; or the client has left, so that nobody receives the answer.

        """
        work, leaving = asyncio.ensure_future(self.done(call)), asyncio.ensure_future(gone)
        try:
            await asyncio.wait((work, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise RequestError(400, "cut_off", "The client left before its request was answered.")
            return work.result()
        finally:
            work.cancel()
            leaving.cancel()

    def _room(self) -> float:
        """Return how many requests may wait."""
        usual = self._usual()
        in_time = self._threads * self._deadline / 2 / usual if usual else self._waiting
        return min(self._waiting, in_time)

    def _usual(self) -> float:
        """Return the seconds that a request usually takes, 0 if that is not known yet.

        The longest time does not count: it may be that of the first request, for which files are read.
        """
        others = sorted(self._seconds)[:-1]
        return fmean(others) if others else 0.0

    def _timed(self, call: Callable[[], Done]) -> Done:
        began = time.perf_counter()
        try:
            return call()
        finally:
            seconds = time.perf_counter() - began
            with self._lock:
                self._seconds.append(seconds)

    def _finished(self, _: Future[Done]) -> None:
        with self._lock:
            self._begun -= 1

    def close(self) -> None:
        """End the threads once they are done; waiting requests are dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)
