"""Files of records that grow, by any number of processes: every line whole, none lost."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from rulerank.files.whole import room_for

PRIVATE = 0o600
"""Permissions of a file that is for its user alone."""


def add_line(path: Path, line: bytes, permissions: int = 0o666) -> None:
    """Add a line, with its end, to a file; other processes may do the same at the same time.

    Raises
    ------
    InputError
        There is no room for all of it; nothing of it is in the file.

    """
    import fcntl  # which not every system has

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
