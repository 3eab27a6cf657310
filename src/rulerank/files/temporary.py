"""Temporary folders; those whose writers were killed are removed by the next writer."""

from __future__ import annotations

import glob
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_LOCK = ".rulerank-lock"


@contextmanager
def temporary_beside(path: Path) -> Iterator[Path]:
    """Yield a new folder beside `path`, and remove it afterwards if it is still there.

    A lock beside the folder shows that its writer is alive. On a system without such locks, what a killed
    writer leaves stays.
    """
    _remove_remains(path)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=_LOCK, dir=path.parent)
    lock = Path(name)
    temporary = lock.with_name(lock.name.removesuffix(_LOCK))
    try:
        # Wait for any process that is looking for remains at this moment.
        _lock(descriptor, wait=True)
        temporary.mkdir(0o700)
        yield temporary
    finally:
        remove_folder(temporary)
        lock.unlink(missing_ok=True)
        os.close(descriptor)


def remove_folder(folder: Path) -> None:
    """Remove a folder if there is one, even if it or a folder in it is read-only."""
    for inside, _, _ in os.walk(folder):
        with suppress(OSError):
            Path(inside).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)


def _remove_remains(path: Path) -> None:
    for lock in path.parent.glob(f".{glob.escape(path.name)}.*{_LOCK}"):
        with suppress(OSError):
            descriptor = os.open(lock, os.O_RDWR)
            try:
                if _lock(descriptor, wait=False):
                    remove_folder(lock.with_name(lock.name.removesuffix(_LOCK)))
                    lock.unlink(missing_ok=True)
            finally:
                os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Lock a file, waiting for others or only if none holds it; return whether it is locked."""
    try:
        import fcntl  # not every system has it
    except ImportError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
