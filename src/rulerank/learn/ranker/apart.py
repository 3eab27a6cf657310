"""Trainings in a process of their own: one that LightGBM fails in takes nothing else with it.

On features that are missing from most rows LightGBM may fail a check of its own, or bring the process down
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
    """LightGBM has failed; the message says what it said."""


class Apart:
    """A process that functions are called in, and a new one after each failure."""

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
        """Call a function of a module there.

        Raises
        ------
        TrainingError
            LightGBM raised an error, or the process ended.

        """
        try:
            return self._pool.submit(function, *args, **kwargs).result()
        except (lightgbm.basic.LightGBMError, BrokenProcessPool) as error:
            # What such an error leaves behind in the memory of its process is not to be relied upon.
            self._pool.shutdown()
            self._pool = _process()
            raise TrainingError(str(error)) from error


def _process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
