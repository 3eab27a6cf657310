"""Where a bundle, or what is made from one, may be written without destroying anything."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rulerank.bundle.damage import expecting
from rulerank.bundle.facts import Facts
from rulerank.bundle.names import FEATURES, MANIFEST
from rulerank.errors import InputError
from rulerank.files import read_json
from rulerank.files.outputs import locked_above


def is_bundle(folder: Path) -> bool:
    """Return whether a folder looks like an exported ranker, to which no file may be added."""
    return all((folder / name).is_file() for name in (MANIFEST, FEATURES))


def known_as(folder: Path) -> str | None:
    """Return the corpus and the digest of the exported ranker in a folder, or None if it holds none."""
    if not is_bundle(folder):
        return None
    with expecting("a manifest as rulerank writes it", folder / MANIFEST):
        manifest = read_json(folder / MANIFEST)
        name = Facts.model_validate(manifest).data.name or "a corpus without a name"
        return f"{name}, digest {manifest['digest'][:12]}"


def enclosing_bundle(place: Path) -> Path | None:
    """Return the exported ranker that a file or folder lies in, if there is one."""
    return next(filter(is_bundle, place.resolve().parents), None)


def require_replaceable(folder: Path, *sources: Path, listing: str = MANIFEST) -> None:
    """Raise InputError, before any work, if a new folder would replace something else or damage a source.

    Parameters
    ----------
    folder : Path
        The folder to be written: a new one, an empty one, or an earlier output.
    *sources : Path
        The folders that it is made from. It may replace the first, but not lie in one or hold one.
    listing : str, optional (default="manifest.json")
        The file by which an earlier output is recognised, and that lists its other files.

    """
    place = folder.resolve()
    for number, source in enumerate(sources):
        other = source.resolve()
        if other in place.parents or place in other.parents or (number and place == other):
            raise InputError(folder, f"expected a folder outside of {source}. Choose another.")
    sealed = enclosing_bundle(place)
    if sealed is not None:
        raise InputError(
            folder, f"expected a folder outside of exported rankers, found one in {sealed}. Choose another."
        )
    found = "a file" if folder.exists() and not folder.is_dir() else _strange(folder, listing)
    if found:
        raise InputError(
            folder,
            f"expected a new folder, or an earlier output to replace, found {found}. Choose another.",
        )
    locked = locked_above(place)
    if locked is not None:
        raise InputError(
            folder, f"expected a folder to write in, found {locked} write-protected. Choose another folder."
        )


def _strange(folder: Path, listing: str) -> str | None:
    """Return what a folder holds that its list of files does not name, if anything."""
    held = sorted(path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    if not held:
        return None
    listed = _listed(folder / listing)
    other = next((each for each in held if each.relative_to(folder).as_posix() not in listed), None)
    return None if other is None else f"{other.relative_to(folder)} in it, which is not part of that output"


def _listed(listing: Path) -> Collection[str]:
    try:
        said = read_json(listing)
    except (InputError, OSError):
        return ()
    files = said.get("files") if isinstance(said, dict) and "digest" in said else None
    return {*files, listing.name} if isinstance(files, dict | list) else ()
