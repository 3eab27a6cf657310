"""Reading of files: an error names the file, the line and the column."""

from __future__ import annotations

import glob
import hashlib
import json
import re
from codecs import BOM_UTF8
from collections import Counter
from pathlib import Path
from typing import Any

from rulerank.errors import InputError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""How JSON escapes half of a character beyond the first 65,536 characters."""


def read_text(path: Path) -> str:
    """Read a UTF-8 file.

    Raises
    ------
    InputError
        The file is missing or cannot be opened, or holds bytes that are not UTF-8, or a line that begins with
        a byte order mark, other than the first (the line is named).

    """
    try:
        content = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        found = "a folder" if path.is_dir() else "none"
        raise InputError(path, f"expected a file, found {found}. Check the path.") from error
    except OSError as error:
        raise InputError(path, f"expected a file: {error.strerror}. Check path and permissions.") from error
    content = content.removeprefix(BOM_UTF8)
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            path,
            f"expected UTF-8 text, found byte 0x{content[error.start]:02x}. Save the file as UTF-8.",
            line=content.count(b"\n", 0, error.start) + 1,
            column=error.start - content.rfind(b"\n", 0, error.start),
        ) from error
    if (joined := text.find("\n\ufeff")) >= 0:
        # Left in, it would be an invisible part of the line's first word, such as an id.
        raise InputError(
            path,
            "expected a byte order mark at the file's beginning alone, found one here, where another file "
            "was appended. Remove it.",
            line=text.count("\n", 0, joined) + 2,
            column=1,
        )
    return text


def literal(path: Path) -> str:
    """Return a path as a reader of polars takes it that would take [, * and ? in it for a pattern."""
    return glob.escape(str(path))


def files_in(folder: Path, suffix: str) -> list[Path]:
    """Return the files of a folder that end in a suffix, in any case; hidden ones are left out."""
    return sorted(
        path for path in folder.glob("*") if path.suffix.lower() == suffix and not path.name.startswith(".")
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; of a key given twice, Python would keep the last value without a word."""
    read = dict(pairs)
    if len(read) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {twice!r} is given twice in one object")
    return read


def parse_json(text: str, source: Path | str, *, line: int | None = None) -> Any:
    """Parse JSON; an error names the file, line and column.

    Parameters
    ----------
    text : str
        The JSON text.
    source : path or str
        Named in the error.
    line : int, optional
        The line number of `text` in `source`, if it is one line of a JSON Lines file.

    """
    try:
        value = json.loads(text, object_pairs_hook=_once)
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
