"""Files written whole: a reader finds the old content or the new, never a part of either."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulerank.errors import InputError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says where there is no room for a file; it names none."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON escapes half of a character beyond the first 65,536."""


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`; rename it onto `path` when the block succeeds.

    A block that raises leaves `path` as it was and removes the temporary file.

    Raises
    ------
    InputError
        `path` is a folder, or nothing can be written where it leads, or not all of it.

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
        yield temporary
        # mkstemp makes private files; give the result the permissions an ordinary open() would.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise InputError(path, f"expected room for it, found none: {error.strerror}. Make room.") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder beside `path`; put it in `path`'s place when the block succeeds.

    On Linux the two are exchanged in one step, so that there is a folder at every moment.

    Raises
    ------
    InputError
        `path` is a file, or no folder can be made where it leads.

    """
    if path.exists() and not path.is_dir():
        raise InputError(path, "expected a folder to write, found a file. Choose another path.")
    make_folder(path.parent)
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        if not (path.exists() and _exchange(temporary, path)):
            _take_place(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


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
    shutil.rmtree(old, ignore_errors=True)


def make_folder(path: Path) -> None:
    """Make a folder and those above it if they are not there; InputError where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(path, f"expected a folder: {error.strerror}. Choose another folder.") from error


def require_outputs(
    *paths: Path | None, inputs: Iterable[Path | None] = (), sealed: Path | None = None
) -> None:
    """Raise InputError, before any work, where an output cannot be written or would destroy something.

    An output is a new file, or takes the place of an ordinary one. It is no link, device or folder, it is not
    an input or a file of an input's folder, and no two outputs are one file.

    Parameters
    ----------
    *paths : Path or None
        The files to be written; None for one that was not asked for.
    inputs : iterable of Path or None
        The files and folders that the same command reads.
    sealed : Path, optional
        An input's folder that takes no new file either: an exported ranker.

    """
    read = {path.resolve(): path for path in (*inputs, sealed) if path is not None}
    taken = set()
    for path in (each for each in paths if each is not None):
        try:
            found = _in_the_way(path)
        except OSError as error:
            raise InputError(
                path, f"expected a file to write: {error.strerror}. Choose another path."
            ) from error
        whole = path.resolve()
        for place in (each for each in (whole, *whole.parents) if each in read and not found):
            if place == whole:
                found = "what is read"
            elif path.exists() or read[place] == sealed:
                found = f"a place in {place}, which is read"
        if found:
            raise InputError(path, f"expected a file to write, found {found}. Choose another path.")
        if whole in taken:
            raise InputError(path, "expected a file of its own for each output, found it twice. Rename one.")
        taken.add(whole)


def _in_the_way(path: Path) -> str:
    """Return what stands where a file is to be written, "" for nothing or an ordinary file."""
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    if path.is_dir():
        return "a folder"
    if path.exists() and not path.is_file():
        return "a device"
    above = next(folder for folder in path.absolute().parents if folder.exists())
    return "" if above.is_dir() else f"that {above} is a file"


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` as UTF-8, whole or not at all."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with a stable key order."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n")


def read_text(path: Path) -> str:
    """Read a UTF-8 file.

    Raises
    ------
    InputError
        The file is missing or cannot be opened, or holds bytes that are not UTF-8 (the line is named).

    """
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        found = "a folder" if path.is_dir() else "none"
        raise InputError(path, f"expected a file, found {found}. Check the path.") from error
    except OSError as error:
        raise InputError(path, f"expected a file: {error.strerror}. Check path and permissions.") from error
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise InputError(
            path,
            f"expected UTF-8 text, found byte 0x{content[error.start]:02x}. Save the file as UTF-8.",
            line=line,
            column=column,
        ) from error


def parse_json(text: str, source: Path | str, *, line: int | None = None) -> Any:
    """Parse JSON; an error names the file, line and column.

    Parameters
    ----------
    text : str
        The JSON text.
    source : path or str
        Named in the error.
    line : int, optional
        The line of `source` that `text` is, when it is one line of a JSON Lines file.

    """
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise InputError(
            source,
            f"malformed JSON: {error.msg}. Correct the file at this place.",
            line=error.lineno if line is None else line,
            column=error.colno,
        ) from error
    except (RecursionError, ValueError) as error:
        reasons = {
            RecursionError: "nested too deeply",
            UnicodeEncodeError: "half a surrogate pair stands alone",
        }
        reason = reasons.get(type(error), str(error))
        raise InputError(source, f"malformed JSON: {reason}. Correct the file.", line=line) from error
    return value


def read_json(path: Path) -> Any:
    """Read one JSON document from `path`."""
    return parse_json(read_text(path), path)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
