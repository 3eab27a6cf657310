"""Outputs of a command, checked before any work: each can be written, and none would destroy something."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from io import BytesIO
from pathlib import Path

from rulerank.errors import InputError

_PAGE = b"<!doctype html"
"""How an HTML page begins, in small letters."""


def require_outputs(
    *paths: Path | None,
    extended: Iterable[Path | None] = (),
    inputs: Iterable[Path | None] = (),
    sealed: Path | None = None,
) -> None:
    """Raise InputError, before any work, where an output cannot be written or would destroy something.

    An output is a new file, replaces an ordinary one, or is added to one. It is not a link, device or folder,
    it is not an input or a file in an input's folder, and no two outputs are the same file.

    Parameters
    ----------
    *paths : Path or None
        The files to be written whole; None for one that was not asked for.
    extended : iterable of Path or None, optional
        The files to which lines are added.
    inputs : iterable of Path or None, optional
        The files and folders that the same command reads.
    sealed : Path, optional
        An input's folder that must get no new file either: an exported ranker.

    """
    read = {path.resolve(): path for path in (*inputs, sealed) if path is not None}
    taken = set()
    added = [each for each in extended if each is not None]
    for path in (*(each for each in paths if each is not None), *added):
        try:
            found = _in_the_way(path) or _locked(path, added)
        except OSError as error:
            raise InputError(
                path, f"expected a file to write: {error.strerror}. Choose another path."
            ) from error
        whole = path.resolve()
        for place in (each for each in (whole, *whole.parents) if each in read and not found):
            if place == whole:
                found = "an input"
            elif path.exists() or read[place] == sealed:
                found = f"a path inside the input {place}"
        if found:
            raise InputError(path, f"expected a file to write, found {found}. Choose another path.")
        if whole in taken:
            raise InputError(path, "expected a file of its own for each output, found it twice. Rename one.")
        taken.add(whole)


def require_page(path: Path | None) -> None:
    """Raise InputError where a page would replace a file that is neither one nor empty; None is no output."""
    with path.open("rb") if path is not None and path.is_file() else BytesIO() as file:
        start = file.read(len(_PAGE))
    if start and start.lower() != _PAGE:
        raise InputError(
            str(path),
            f"expected a new file, or an HTML page to replace, which begins with {_PAGE.decode()}; "
            "found another file. Choose another path.",
        )


def _in_the_way(path: Path) -> str:
    """Return what is in the place of a file to be written, "" for nothing or an ordinary file."""
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    if path.is_dir():
        return "a folder"
    if path.exists() and not path.is_file():
        return "a device"
    above = next(folder for folder in path.absolute().parents if folder.exists())
    if not above.is_dir():
        return f"that {above} is a file"
    return ""


def _locked(path: Path, added: Collection[Path]) -> str:
    """Return what may not be written to so that a file can be written, "" for nothing."""
    if path in added and path.exists():
        return "" if os.access(path, os.W_OK) else "one that may not be written to"
    folder = locked_above(path)
    return "" if folder is None else f"that {folder} may not be written to"


def locked_above(path: Path) -> Path | None:
    """Return the folder in which a new file or folder is put at a path, if it may not be written to.

    What replaces another is put there, too, and then renamed.
    """
    folder = next(place for place in path.absolute().parents if place.exists())
    return None if os.access(folder, os.W_OK | os.X_OK) else folder
