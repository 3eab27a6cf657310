"""Files of records that several workers add to: every line whole, none lost."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulerank.errors import InputError


def add_line(path: Path, record: Mapping[str, Any]) -> None:
    """Add a record to a file as one line of JSON; other processes may do the same at the same time."""
    line = (json.dumps(record, ensure_ascii=False) + "\n").encode()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        end = os.fstat(descriptor).st_size
        if os.write(descriptor, line) < len(line):
            os.ftruncate(descriptor, end)
            raise OSError(f"{path.name}: no room for a line")
    finally:
        os.close(descriptor)


def require_lines(option: str, path: Path | None) -> None:
    """Raise InputError, before any request, where nothing can be added to a file."""
    if path is None:
        return
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))
    except OSError as error:
        raise InputError(
            option, f"expected a file to add lines to at {path}: {error.strerror}. Choose another path."
        ) from error
