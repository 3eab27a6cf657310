"""A function run in its own process, with a given number of threads for every library."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import ParamSpec, TypeVar

from rulerank.threads import VARIABLES

P = ParamSpec("P")
T = TypeVar("T")


def fresh(threads: int, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function of a module in a new process and return its result.

    Parameters
    ----------
    threads : int
        Threads of every library in the process.
    function : callable
        Imported again by the process, which has loaded nothing else of the project.
    *args, **kwargs
        Its arguments.

    """
    context = multiprocessing.get_context("spawn")
    with _environment(dict.fromkeys(VARIABLES, str(threads))), ProcessPoolExecutor(1, context) as pool:
        return pool.submit(partial(function, *args, **kwargs)).result()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
