"""Atomic writes: a reader finds the old content or the new, never a part of either."""

from __future__ import annotations

import errno
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rulerank.errors import InputError
from rulerank.files.temporary import remove_folder, temporary_beside

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The system's errors for a full disk, a quota and a file that is too large; they name no file."""

_SAID = re.compile(rf"(?:os error|Errno) ({'|'.join(map(str, FULL))})\b|\d+ requested and \d+ written")
"""How polars, safetensors and shutil repeat these in their own messages, and how NumPy reports them."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it onto `path` when the block succeeds.

    A block that raises leaves `path` as it was and removes the temporary file. A file that is replaced keeps
    its permissions.

    Raises
    ------
    InputError
        `path` is a folder, or the file cannot be written there, or not all of it.

    """
    try:
        if path.is_dir():
            raise InputError(path, "expected a file to write, found a folder. Add a file name to the path.")
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(path, f"expected a file to write: {error.strerror}. Choose another path.") from error
    os.close(handle)
    temporary = Path(name)
    try:
        with explaining_full_disk(path):
            yield temporary
            # mkstemp makes private files; a new one gets the permissions an ordinary open() would give it.
            temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; put it in `path`'s place when the block succeeds.

    On Linux the two are exchanged in one step, so there is always a folder.

    Raises
    ------
    InputError
        `path` is a file, no folder can be made where it leads, or the disk is too full for all of it.

    """
    if path.exists() and not path.is_dir():
        raise InputError(path, "expected a folder to write, found a file. Choose another path.")
    make_folder(path.parent)
    with ExitStack() as stack:
        try:
            temporary = stack.enter_context(temporary_beside(path))
        except OSError as error:
            raise InputError(
                path, f"expected a folder to write: {error.strerror}. Choose another path."
            ) from error
        with explaining_full_disk(path):
            yield temporary
            temporary.chmod(0o777 & ~_umask())
            if not (path.exists() and _exchange(temporary, path)):
                _take_place(temporary, path)


@contextmanager
def explaining_full_disk(path: Path) -> Iterator[None]:
    """Turn the error of a full disk into an InputError, whichever library the block writes with."""
    try:
        yield
    except Exception as error:
        said = error.strerror if isinstance(error, OSError) and error.errno in FULL else None
        if said is None and (found := _SAID.search(str(error))):
            said = os.strerror(int(found[1])) if found[1] else found[0]
        if said is None:
            raise
        raise InputError(
            path, f"expected enough disk space for it, found too little: {said}. Free some space."
        ) from error


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; return whether the system could."""
    import ctypes

    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    try:
        rename = ctypes.CDLL(None).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    return bool(rename(here, os.fsencode(one), here, os.fsencode(other), exchange) == 0)


def _take_place(new: Path, path: Path) -> None:
    """Rename a folder onto another, which is put back if that fails."""
    old = new.with_name(f"{new.name}.old")
    if path.exists():
        path.rename(old)
    try:
        new.rename(path)
    except BaseException:
        if old.exists():
            old.rename(path)
        raise
    remove_folder(old)


def make_folder(path: Path) -> None:
    """Make a folder and those above it if they are missing; raise InputError if that is impossible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(path, f"expected a folder: {error.strerror}. Choose another folder.") from error


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with a stable key order."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def json_line(record: Any) -> bytes:
    """Return a record as one line of JSON, with its end, as UTF-8."""
    return (json.dumps(record, ensure_ascii=False) + "\n").encode()


def write_lines(path: Path, records: Iterable[Any]) -> None:
    """Write records as lines of JSON, all of them or none."""
    with replacing(path) as temporary, temporary.open("wb") as stream:
        stream.writelines(map(json_line, records))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
