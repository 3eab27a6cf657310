"""The served ranker and its successor, which is loaded, tried, and then put in its place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from rulerank.bundle import MANIFEST
from rulerank.ranker import Ranker

RETRY = 30.0
"""Seconds until a folder that could not be loaded is tried again; a copy into it may be in progress."""

WARMING = "What must be done?"


@dataclass(frozen=True, eq=False)
class Generation:
    """One loaded ranker.

    Parameters
    ----------
    digest : str
        Digest of its manifest.
    ranker : Ranker
        The ranker.

    """

    digest: str
    ranker: Ranker

    @property
    def name(self) -> str:
        """Its name in responses: the beginning of the digest."""
        return self.digest[:12]


class Generations:
    """The generation that is served.

    A request takes `current` once and keeps it to its end, so a change of generations is one assignment. A
    request that began with the old one finishes with it, and the old one is freed with its last request.

    Parameters
    ----------
    folder : Path
        The bundle, or a link to it. The bundle may be replaced whole, or the link pointed at another folder.

    Raises
    ------
    BundleError
        The folder is not a bundle, or its content has changed since it was written.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = self._mark()
        self._gone = False
        self._retry_at = float("inf")
        self.current = self._load()

    def refresh(self) -> bool:
        """Serve what is in the folder now if it is another generation; return whether it is.

        Raises
        ------
        RulerankError
            It cannot be served. The old generation is still served, and the folder is left alone for `RETRY`
            seconds unless it changes.

        """
        mark = self._mark()
        # Between two renames there is no folder for a moment.
        gone_before, self._gone = self._gone, mark is None
        between = mark is None and not gone_before
        if between or (mark == self._seen and time.monotonic() < self._retry_at):
            return False
        self._seen, self._retry_at = mark, time.monotonic() + RETRY
        following = self._load()
        self._retry_at = float("inf")
        changed = following.digest != self.current.digest
        self.current = following
        return changed

    def _load(self) -> Generation:
        # A link that changes while its files are read must not mix two folders.
        ranker = Ranker.load(self._folder.resolve())
        # Prepares what is built on first use, so that no request waits for it.
        ranker.answer(WARMING)
        return Generation(ranker.bundle.manifest["digest"], ranker)

    def _mark(self) -> tuple[int, int, int] | None:
        """Return values that change with the manifest, None if there is no manifest."""
        try:
            found = (self._folder / MANIFEST).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
