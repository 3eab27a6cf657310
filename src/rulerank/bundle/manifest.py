"""The manifest of a bundle; it proves by name, size and hash that each file is the one that was written.

Hashes prove that nothing was changed on the way, not who wrote it: anyone who can change a file can also
rewrite its hash. Load bundles that you trust.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.machinery import all_suffixes
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field

from rulerank.bundle.damage import REMEDY, expecting
from rulerank.bundle.facts import Facts
from rulerank.bundle.names import FORMAT, MANIFEST
from rulerank.errors import BundleError, InputError
from rulerank.files import read_json, sha256

LARGE = 96 << 20
"""Bytes of a file above which loading checks only its size; `rulerank bundle verify` reads all of it.

A question encoder of ordinary size is smaller. A larger file is an index, of gigabytes for a million
passages.
"""

FACTS_OF_FILES = ("format", "files", "sizes", "digest")
"""What a manifest says about the files; its other keys say where they come from."""

LARGEST_MANIFEST = 16 << 20
"""Bytes of the longest manifest that is read: about 100,000 files."""


CODE = tuple(all_suffixes())
"""How the names of files end that Python can import; from its working folder, it might."""


def _within(name: str) -> str:
    """Return a name that stays within the folder it is appended to, and is not one of code."""
    path = PurePosixPath(name)
    plain = path.as_posix() == name and not path.is_absolute() and ".." not in path.parts
    if not plain or name in (".", MANIFEST) or "\\" in name or not name.isprintable():
        raise ValueError(f"expected the name of a file within the folder, found {name!r}")
    if name.endswith(CODE):
        raise ValueError(f"expected no file that Python can import, found {name!r}")
    return name


Name = Annotated[str, AfterValidator(_within)]


class Manifest(BaseModel):
    """The keys of every manifest; its other keys are `Facts`."""

    settings: dict[str, Any]
    files: dict[Name, Annotated[str, Field(pattern="^[0-9a-f]{64}$")]]
    sizes: dict[Name, Annotated[int, Field(ge=0, strict=True)]]
    digest: str
    passages: dict[str, str]


def digest(manifest: Mapping[str, Any]) -> str:
    """Return the hash of a manifest without its own, in hexadecimal."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path, *, largest: int | None) -> dict[str, Any]:
    """Read the manifest after checking it and the files it names.

    Parameters
    ----------
    folder : Path
        The bundle; it may be a link, its content may not.
    largest : int or None
        Files with more bytes are checked only by size, since a hash reads all of them; None checks every
        hash.

    Raises
    ------
    BundleError
        The folder is not a bundle, the format is of another version, or a file is missing, changed, added or
        not a plain file.

    """
    manifest = _read(folder)
    with expecting("an exported ranker that can be read", folder):
        _check(folder, manifest, largest)
    return manifest


def _check(folder: Path, manifest: dict[str, Any], largest: int | None) -> None:
    """Check a manifest against its own hash, and the files against the manifest."""
    said = {key: value for key, value in manifest.items() if key != "digest"}
    _require_hash(folder / MANIFEST, manifest.get("digest"), digest(said))
    with expecting("a manifest as rulerank writes it", folder / MANIFEST):
        checked = Manifest.model_validate(manifest)
        Facts.model_validate(manifest)
        if checked.files.keys() != checked.sizes.keys():
            raise ValueError("files and sizes name different files")
    found = dict(_walk(folder))
    for name in sorted(found.keys() - checked.files.keys() - {MANIFEST}):
        raise BundleError(
            f"{folder / name}: expected only the files that manifest.json lists, found another. Remove it, "
            "or copy the bundle into an empty folder."
        )
    for name in checked.files.keys() - found.keys():
        _require_hash(folder / name, checked.files[name], "no file")
    hashed = [
        name
        for name in checked.files
        if largest is None or found[name] <= largest or found[name] != checked.sizes[name]
    ]
    with ThreadPoolExecutor() as pool:
        hashes = pool.map(sha256, [folder / name for name in hashed])
        for name, hash_now in zip(hashed, hashes, strict=True):
            _require_hash(folder / name, checked.files[name], hash_now)
    for name, size in checked.sizes.items():
        if found[name] != size:
            raise BundleError(f"{folder / name}: expected {size} bytes, found {found[name]}. {REMEDY}")


def _read(folder: Path) -> dict[str, Any]:
    """Read a manifest of this format."""
    path = folder / MANIFEST
    try:
        if path.is_symlink():
            raise BundleError(f"{path}: expected a file, found a link. Copy the bundle with `cp -rL`.")
        if path.is_file() and path.stat().st_size > LARGEST_MANIFEST:
            raise BundleError(f"{path}: expected at most {LARGEST_MANIFEST} bytes, found more. {REMEDY}")
        manifest = read_json(path)
    except InputError as error:
        raise BundleError(f"{folder}: expected an exported ranker: {error} Run `make reproduce`.") from error
    except (OSError, ValueError) as error:
        shown = repr(str(folder))[:200]
        raise BundleError(f"expected the path of an exported ranker, found {shown}. Correct it.") from error
    found = manifest.get("format") if isinstance(manifest, dict) else manifest
    if not isinstance(manifest, dict) or type(found) is not int or found != FORMAT:
        raise BundleError(
            f"{folder}: expected bundle format {FORMAT}, found {str(found)[:40]}. Export the ranker again "
            "with this version, by `dvc repro export`, or load it with the version that wrote it."
        )
    return manifest


def _walk(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield the name and the size in bytes of every file of a folder, hidden ones too."""
    for above, folders, files in os.walk(folder, followlinks=False):
        for each in sorted([*folders, *files]):
            path = Path(above, each)
            found = path.lstat()
            if stat.S_ISREG(found.st_mode):
                yield path.relative_to(folder).as_posix(), found.st_size
            elif not stat.S_ISDIR(found.st_mode):
                kind = "a link" if stat.S_ISLNK(found.st_mode) else "something else"
                raise BundleError(
                    f"{path}: expected plain files and folders, found {kind}. Copy the bundle with what its "
                    "links lead to, e.g. by `cp -rL`."
                )


def _require_hash(path: Path, expected: Any, found: str) -> None:
    if found != expected:
        raise BundleError(
            f"{path}: expected SHA-256 {expected}, found {found}. The bundle was changed after it was "
            "written; copy it again or export it again with `dvc repro`."
        )
