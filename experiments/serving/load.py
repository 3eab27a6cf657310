"""A served ranker under steady load: whether requests fail, and whether its memory grows."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from experiments.serving.asking import Asked, K, ask_all
from experiments.serving.server import Server

SHARE = 0.8
"""Share of the measured throughput."""

SETTLING = 60
"""Seconds of load before memory is measured: buffers grow to the longest question, then stay."""


@dataclass(frozen=True)
class Load:
    """The state of a server under load.

    Parameters
    ----------
    asked : Asked
        The requests after it had settled.
    errors : int
        Number of requests without an answer, including those before it had settled.
    before, after : int
        Bytes of resident memory after it had settled, and at the end.

    """

    asked: Asked
    errors: int
    before: int
    after: int

    @property
    def growth(self) -> float:
        """Growth of the resident memory, in percent."""
        return 100 * (self.after / self.before - 1)


def under_load(server: Server, texts: Sequence[str], rate: float, clients: int, seconds: float) -> Load:
    """Ask some questions over and over, `SHARE` of `rate` per second, for `seconds` after `SETTLING`."""

    def asked(time_given: float) -> Asked:
        return ask_all(
            lambda text: server.client.rank(text, K),
            paced(texts, SHARE * rate, time_given),
            clients,
            server.process,
        )

    settling = asked(SETTLING)
    before = server.process.memory_info().rss
    during = asked(seconds)
    return Load(during, settling.errors + during.errors, before, server.process.memory_info().rss)


def paced(texts: Sequence[str], rate: float, seconds: float) -> Iterator[str]:
    """Yield texts in turn, `rate` per second; a late reader gets the next ones at once."""
    began = time.monotonic()
    for number, text in enumerate(cycle(texts)):
        due = number / rate
        if due >= seconds:
            return
        time.sleep(max(0.0, began + due - time.monotonic()))
        yield text
