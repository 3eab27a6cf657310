"""The metrics that Prometheus reads, on one page that is correct for any number of workers.

Several workers write into the folder that PROMETHEUS_MULTIPROC_DIR names, and any of them sums over all. The
variable must be set before this module is imported.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
SECONDS = (0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The counters of one worker."""

    def __init__(self) -> None:
        self._own = CollectorRegistry()
        self.requests = Counter("rulerank_requests", "Responses.", ("route", "status"), registry=self._own)
        self.seconds = Histogram(
            "rulerank_request_seconds",
            "From a request's first byte to the end of its response.",
            ("route",),
            buckets=SECONDS,
            registry=self._own,
        )
        self.at_work = Gauge(
            "rulerank_requests_at_work",
            "Requests not answered yet.",
            registry=self._own,
            multiprocess_mode="livesum",
        )
        self.workers = Gauge(
            "rulerank_workers",
            "Workers that serve a generation of the ranker.",
            ("generation",),
            registry=self._own,
            multiprocess_mode="livesum",
        )
        self.swaps = Counter("rulerank_swaps", "Changes of generation.", ("outcome",), registry=self._own)
        self.unanswered = Counter("rulerank_unanswered", "Questions without an answer.", registry=self._own)

    def serves(self, generation: str, before: str | None = None) -> None:
        """Record which generation this worker serves now."""
        if before is not None:
            self.workers.labels(before).set(0)
        self.workers.labels(generation).set(1)

    def page(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        folder = os.environ.get(FOLDER)
        if folder is None:
            return generate_latest(self._own)
        remove_gauges_of_dead_workers(Path(folder))
        every = CollectorRegistry()
        MultiProcessCollector(every, folder)  # type: ignore[no-untyped-call]
        return generate_latest(every)


def remove_gauges_of_dead_workers(folder: Path) -> None:
    """Remove the gauges of workers that were killed; otherwise they would be counted for ever."""
    for path in folder.glob("gauge_live*.db"):
        found = re.search(r"_(\d+)\.db$", path.name)
        if found and not _alive(int(found[1])):
            # Another worker may be asked for its page at the same time.
            path.unlink(missing_ok=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
