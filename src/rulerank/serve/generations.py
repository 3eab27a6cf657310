"""The ranker that is served, and the next one: loaded beside it, proved, and put in its place."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from rulerank.bundle import MANIFEST
from rulerank.ranker import Ranker

RETRY = 30.0
"""Seconds until a folder that could not be loaded is tried again: somebody may be copying into it."""

WARMING = "What must be done?"


@dataclass(frozen=True, eq=False)
class Generation:
    """One ranker, loaded.

    Parameters
    ----------
    digest : str
        Of its manifest.
    ranker : Ranker
        It.

    """

    digest: str
    ranker: Ranker

    @property
    def name(self) -> str:
        """What responses call it: the beginning of the digest."""
        return self.digest[:12]


class Generations:
    """The generation that is served.

    Requests take `current` once and keep it to their end, so that a change of generations is one assignment:
    who began with the old one finishes with it, and it is freed with its last request.

    Parameters
    ----------
    folder : Path
        The bundle, or a link to it. It may be replaced whole, or the link turned to another folder.

    Raises
    ------
    BundleError
        The folder is no bundle, or not the one that was written.

    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen = self._mark()
        self._retry_at = float("inf")
        self.current = self._load()

    def refresh(self) -> bool:
        """Serve what is in the folder now, if it is another generation; say whether it is.

        Raises
        ------
        RulerankError
            It cannot be served; the old generation still is, and the folder is left alone for `RETRY` seconds
            unless it changes.

        """
        mark = self._mark()
        if mark is None or (mark == self._seen and time.monotonic() < self._retry_at):
            return False
        self._seen, self._retry_at = mark, time.monotonic() + RETRY
        following = self._load()
        self._retry_at = float("inf")
        changed = following.digest != self.current.digest
        self.current = following
        return changed

    def _load(self) -> Generation:
        # A link that is turned while its files are read must not mix two folders.
        ranker = Ranker.load(self._folder.resolve())
        # Prepares what is made when it is first needed, so that no request waits for it.
        ranker.answer(WARMING)
        return Generation(ranker.bundle.manifest["digest"], ranker)

    def _mark(self) -> tuple[int, int, int] | None:
        """Return what changes with the manifest, None while there is none."""
        try:
            found = (self._folder / MANIFEST).stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
