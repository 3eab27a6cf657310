"""Proof that a bundle is the one that was written: the hashes of its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulerank.bundle.contents import FORMAT, MANIFEST
from rulerank.errors import BundleError, InputError
from rulerank.files import read_json, sha256

LARGE = 96 << 20
"""Bytes of a file above which loading checks its size alone; `rulerank bundle verify` reads all of it.

Above a question encoder of ordinary size; what is larger is an index, of gigabytes for a million passages.
"""


def digest(manifest: Mapping[str, Any]) -> str:
    """Return the hash of a manifest without its own, in hexadecimal."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path, *, largest: int | None) -> dict[str, Any]:
    """Read the manifest after checking it and the files it names.

    Parameters
    ----------
    folder : Path
        The bundle.
    largest : int or None
        Files of more bytes are checked by their size alone, since a hash reads all of them; None checks
        every hash.

    Raises
    ------
    BundleError
        The folder is no bundle, the format is another version's, or a file is missing, changed or added.

    """
    try:
        manifest = read_json(folder / MANIFEST)
    except InputError as error:
        raise BundleError(f"{folder}: expected an exported ranker: {error} Run `make reproduce`.") from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        other = manifest.get("format") if isinstance(manifest, dict) else manifest
        raise BundleError(
            f"{folder}: expected bundle format {FORMAT}, found {other}. "
            "Export the ranker again with this version."
        )
    said = {key: value for key, value in manifest.items() if key != "digest"}
    hashes = {MANIFEST: (manifest.get("digest"), digest(said))}
    # Without its list of files it was changed too: its own digest says so.
    sizes = manifest.get("sizes") or {}
    for name, expected in (manifest.get("files") or {}).items():
        path = folder / name
        if not path.is_file():
            hashes[name] = expected, "no file"
        elif largest is None or path.stat().st_size <= largest or path.stat().st_size != sizes.get(name):
            hashes[name] = expected, sha256(path)
        else:
            hashes[name] = expected, expected
    for name, (expected, found) in hashes.items():
        if found != expected:
            raise BundleError(
                f"{folder / name}: expected SHA-256 {expected}, found {found}. The bundle was changed after "
                "it was written; copy it again or export it again with `dvc repro`."
            )
    # What is optional is read where it is there: a leftover of another bundle would change the ranking.
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in hashes and not path.name.startswith("."):
            raise BundleError(
                f"{path}: expected the files of manifest.json alone, found another. Remove it, or copy the "
                "bundle into an empty folder."
            )
    return manifest
