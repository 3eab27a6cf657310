"""Bytes stored on disk by the content that they were computed from."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from rulerank.errors import InputError
from rulerank.files import make_folder

_TABLE = "CREATE TABLE IF NOT EXISTS contents (key TEXT PRIMARY KEY, value BLOB NOT NULL)"
_VALUES = "SELECT key, value FROM contents WHERE key IN (SELECT value FROM json_each(?))"
_SIZES = "SELECT key, length(value) FROM contents WHERE key IN (SELECT value FROM json_each(?))"
_INSERT = "INSERT INTO contents VALUES (?, ?) ON CONFLICT (key) DO NOTHING"


class ContentStore:
    """Bytes by key in one SQLite file, which is read by key and never as a whole.

    A finished `write` survives the process, however the process ends. Several processes may share a file.

    Parameters
    ----------
    path : Path
        The file; created if it does not exist.

    Raises
    ------
    InputError
        On creation or in a method: the file cannot be read or written.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        make_folder(path.parent)
        with self._connection() as connection:
            connection.execute(_TABLE)

    def read(self, keys: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield key and value of the keys in the store, in any order."""
        with self._connection() as connection:
            yield from connection.execute(_VALUES, (json.dumps(list(keys)),))

    def sizes(self, keys: Iterable[str]) -> dict[str, int]:
        """Return the length in bytes of each value in the store."""
        with self._connection() as connection:
            return dict(connection.execute(_SIZES, (json.dumps(list(keys)),)))

    def write(self, items: Sequence[tuple[str, bytes]]) -> None:
        """Store values by key, all of them or none. Keys already in the store keep their value."""
        with self._connection() as connection:
            connection.executemany(_INSERT, items)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._path, timeout=60)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise InputError(
                self._path,
                f"expected a cache that can be read and written: {error}. Free space, or delete the file.",
            ) from error


def rows_by_content(texts: Sequence[str], kind: str, prefix: str) -> dict[str, list[int]]:
    """Return the rows of each distinct text, by the key of the text's encoding."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        rows[content_key(kind, prefix + text)].append(row)
    return rows


def content_key(*parts: str) -> str:
    """Return the key of what is computed from some texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
