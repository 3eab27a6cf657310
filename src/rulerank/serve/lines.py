"""Files of records that several workers append to, readable only by the server's user."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulerank.answer.records import AUDIT_BEGINNING
from rulerank.errors import InputError
from rulerank.files import PRIVATE, add_line, json_line, require_lines_of

BEGINNINGS: Mapping[str, tuple[bytes, ...]] = {
    "feedback": (b'{"question":',),
    "audit": (b'{"at": ', AUDIT_BEGINNING),
}
"""How the lines of each file begin; `rulerank answer --audit` may have begun an audit."""


def add_record(path: Path, record: Mapping[str, Any]) -> None:
    """Append a record to a file as one line of JSON; other processes may do so at the same time."""
    add_line(path, json_line(record), PRIVATE)


def require_lines(bundle: Path, **paths: Path | None) -> None:
    """Raise InputError, before any request, if nothing can be appended to a file.

    Parameters
    ----------
    bundle : Path
        The served bundle; a file in it would change the folder that was exported.
    **paths : Path or None
        The files, each by the name of its option; None for an option that is not set.

    """
    taken: set[Path] = set()
    for name, path in paths.items():
        if path is None:
            continue
        option, whole = f"--{name}", path.resolve()
        if bundle.resolve() in whole.parents:
            raise InputError(
                option, f"expected a file outside of {bundle}, found {path}. Choose another path."
            )
        if whole in taken:
            raise InputError(option, f"expected a file of its own, found {path} again. Choose another path.")
        if path.exists() and not path.is_file():
            raise InputError(
                option,
                f"expected a file to add lines to at {path}, found something else. Choose another path.",
            )
        require_lines_of(path, *BEGINNINGS[name])
        taken.add(whole)
        try:
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE))
            path.chmod(PRIVATE)
        except OSError as error:
            raise InputError(
                option, f"expected a file to add lines to at {path}: {error.strerror}. Choose another path."
            ) from error
