"""Files of records that any number of processes extend: every line is whole, none is lost."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rulerank.files.whole import room_for

PRIVATE = 0o600
"""Permissions of a file for its user alone."""


def add_line(path: Path, line: bytes, permissions: int = 0o666) -> None:
    """Add a line, with its end, to a file; other processes may do the same at the same time.

    Raises
    ------
    InputError
        There is no room for the whole line; no part of it is in the file.

    """
    import fcntl  # not every system has it

    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, permissions)
    try:
        with room_for(path):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            end = os.fstat(descriptor).st_size
            if os.write(descriptor, line) < len(line):
                os.ftruncate(descriptor, end)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)
