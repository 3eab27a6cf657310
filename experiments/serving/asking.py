"""Questions asked in parallel, and their outcomes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psutil

from rulerank.ranker import Ranker
from rulerank.serve.client import ServiceError

K, WARMING = 10, 20


@dataclass(frozen=True)
class Asked:
    """The outcomes of some questions.

    Parameters
    ----------
    milliseconds : list of float
        Time of each, by the clock.
    errors : int
        Number of questions without an answer.
    clock, processor : float
        Total elapsed seconds, and seconds of processor time of the process that answered.

    """

    milliseconds: list[float]
    errors: int
    clock: float
    processor: float

    @property
    def rate(self) -> float:
        """Questions per second by the clock."""
        return len(self.milliseconds) / self.clock

    @property
    def cost(self) -> float:
        """Milliseconds of processor time per question."""
        return 1000 * self.processor / len(self.milliseconds)


def ask_all(
    ask: Callable[[str], object], texts: Iterable[str], threads: int, process: psutil.Process
) -> Asked:
    """Ask questions from several threads; `process` answers them."""

    def once(text: str) -> tuple[float, bool]:
        began = time.perf_counter()
        try:
            ask(text)
        except ServiceError:
            return time.perf_counter() - began, False
        return time.perf_counter() - began, True

    began, used = time.perf_counter(), processor(process)
    with ThreadPoolExecutor(threads) as pool:
        done = list(pool.map(once, texts))
    clock, used = time.perf_counter() - began, processor(process) - used
    return Asked([1000 * each for each, _ in done], sum(not well for _, well in done), clock, used)


def in_process(bundle: Path, texts: list[str], threads: int) -> Asked:
    """Ask a ranker without a server, with as many threads as a server's worker has."""
    ranker = Ranker.load(bundle)

    def ask(text: str) -> object:
        return ranker.rank(text, K, reasons=0)

    for text in texts[:WARMING]:
        ask(text)
    return ask_all(ask, texts, threads, psutil.Process())


def processor(process: psutil.Process) -> float:
    """Return the seconds of processor time that a process has used."""
    times = process.cpu_times()
    used: float = times.user + times.system
    return used
