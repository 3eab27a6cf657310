"""Files of records that any number of processes extend: every line is whole, none is lost."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from rulerank.errors import InputError
from rulerank.files.atomic import explaining_full_disk, make_folder

PRIVATE = 0o600
"""Permissions of a file for its user alone."""


def add_line(path: Path, line: bytes, permissions: int = 0o666) -> None:
    """Add a line, with its end, to a file; other processes may do the same at the same time.

    Raises
    ------
    InputError
        The disk is too full for the whole line; no part of it is in the file.

    """
    import fcntl  # not every system has it

    with _opened(path, permissions) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        _add(path, descriptor, line)


def require_lines_of(path: Path, *beginnings: bytes) -> None:
    """Raise InputError if a file that is to be extended holds something else than expected.

    Parameters
    ----------
    path : Path
        The file; it may be absent or empty.
    *beginnings : bytes
        With one of them begins each line that is expected.

    """
    with path.open("rb") if path.is_file() else BytesIO() as file:
        start = file.read(max(map(len, beginnings)))
    # A file may end in the middle of its first line.
    if not any(each.startswith(start[: len(each)]) for each in beginnings):
        said = " or ".join(each.decode() for each in beginnings)
        raise InputError(
            path, f"expected lines that begin with {said}, found something else. Write to another file."
        )


@contextmanager
def extended_alone(path: Path) -> Iterator[Callable[[bytes], None]]:
    """Yield what adds a line to a file that no other process may extend meanwhile.

    Raises
    ------
    InputError
        Another process is extending the file; or, from what is yielded, the disk is too full.

    """
    import fcntl

    with _opened(path, 0o666) as descriptor:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                path,
                "expected a file that no other run writes to, found one. Wait, or choose another file.",
            ) from error
        yield lambda line: _add(path, descriptor, line)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder, once no other process does; the folder is made if it is missing."""
    import fcntl

    make_folder(folder)
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _opened(path: Path, permissions: int) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, permissions)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _add(path: Path, descriptor: int, line: bytes) -> None:
    """Add a line to an open file, which may lack the end of its last line."""
    with explaining_full_disk(path):
        end = os.fstat(descriptor).st_size
        if end and os.pread(descriptor, 1, end - 1) != b"\n":
            line = b"\n" + line
        if os.write(descriptor, line) < len(line):
            os.ftruncate(descriptor, end)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
