"""Replies that are kept, so that an interrupted batch asks only what is still open."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from rulerank.errors import InputError
from rulerank.files import make_folder, read_text


def key_of(*parts: Any) -> str:
    """Return the SHA-256 of everything that a reply depends on, in hexadecimal."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


class Replies:
    """Replies by key, in a JSON Lines file that grows by one line per reply.

    Parameters
    ----------
    path : Path, optional
        The file. Without one, replies are kept only in memory. A last line that was cut off is left out.

    Raises
    ------
    InputError
        The file cannot be read or contains something else.

    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = Lock()
        self._kept: dict[str, str] = {}
        if path is not None and path.exists():
            lines = read_text(path).splitlines(keepends=True)
            for number, line in enumerate(lines, start=1):
                if line.endswith("\n"):
                    self._take(path, number, line)
            # What a killed run left behind must not merge with the next line.
            if lines and not lines[-1].endswith("\n"):
                self._append("\n")

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, key: str, ask: Callable[[], str]) -> str:
        """Return the reply kept under a key; if there is none, ask for it and keep it."""
        kept = self.kept(key)
        if kept is not None:
            return kept
        reply = ask()
        self.keep(key, reply)
        return reply

    def kept(self, key: str) -> str | None:
        """Return the reply kept under a key, None if there is none."""
        return self._kept.get(key)

    def keep(self, key: str, reply: str) -> None:
        """Keep a reply under a key."""
        with self._lock:
            self._kept[key] = reply
            if self._path is not None:
                self._append(json.dumps({"key": key, "reply": reply}) + "\n")

    def _take(self, path: Path, number: int, line: str) -> None:
        try:
            said = json.loads(line)
            self._kept[said["key"]] = str(said["reply"])
        except ValueError:
            return  # the line of a run that was killed while it wrote
        except (KeyError, TypeError) as error:
            raise InputError(
                path, 'expected lines {"key", "reply"}. Choose another file for the replies.', line=number
            ) from error

    def _append(self, line: str) -> None:
        if self._path is None:
            return
        make_folder(self._path.parent)
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(line)
        except OSError as error:
            raise InputError(
                self._path, f"expected a file to write: {error.strerror}. Choose another path."
            ) from error
