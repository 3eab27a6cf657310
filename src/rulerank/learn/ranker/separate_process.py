"""Training in a separate process, so that a failure of LightGBM affects nothing else.

On features that are missing from most rows, LightGBM may fail an internal check or crash the process
(https://github.com/lightgbm-org/LightGBM/issues/4739, open).
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

import lightgbm

P = ParamSpec("P")
R = TypeVar("R")


class TrainingError(Exception):
    """LightGBM failed; the message is LightGBM's own."""


class SeparateProcess:
    """A process in which functions are called; a new one replaces it after each failure."""

    def __init__(self) -> None:
        self._pool = _process()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._pool.shutdown()

    def call(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a module's function in the process.

        Raises
        ------
        TrainingError
            LightGBM raised an error, or the process ended.

        """
        try:
            return self._pool.submit(function, *args, **kwargs).result()
        except (lightgbm.basic.LightGBMError, BrokenProcessPool) as error:
            # The memory of a process after such an error cannot be relied upon.
            self._pool.shutdown()
            self._pool = _process()
            raise TrainingError(str(error)) from error


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
