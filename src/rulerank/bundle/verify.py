"""Proof that a bundle is the one that was written: hashes of its files, golden rows and their scores."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle.contents import FORMAT, GOLDEN, MANIFEST, Model
from rulerank.errors import BundleError, InputError
from rulerank.files import read_json, sha256

TOLERANCE = 1e-6
"""How far a golden score may be off: LightGBM sums leaves in double precision."""


def digest(manifest: Mapping[str, Any]) -> str:
    """Return the hash of a manifest without its own, in hexadecimal."""
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest after checking it and every file it names against their hashes.

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
    for name, expected in (manifest.get("files") or {}).items():
        path = folder / name
        hashes[name] = expected, sha256(path) if path.is_file() else "no file"
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


def golden_rows(model: Model, rows: FloatArray) -> pl.DataFrame:
    """Return rows of a model's matrix, shape (rows, features), as a frame with the column `score`."""
    scores: FloatArray = np.asarray(model.booster.predict(rows))
    return model.features.frame(rows).with_columns(pl.Series("score", scores))


def check_golden(folder: Path, model: Model) -> None:
    """Score the golden rows of a bundle again.

    Raises
    ------
    BundleError
        One scores differently.

    """
    golden = pl.read_parquet(folder / GOLDEN)
    scores = np.asarray(model.booster.predict(golden.select(model.features.names).to_numpy()))
    difference = float(np.abs(scores - golden["score"].to_numpy()).max(initial=0))
    if difference > TOLERANCE:
        raise BundleError(
            f"{folder / GOLDEN}: golden rows score {difference:.2g} off, expected at most {TOLERANCE}. "
            "Check the version of lightgbm against manifest.json."
        )
