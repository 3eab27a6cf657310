"""An exported ranker written to one folder: no pickle, every file hashed, golden rows to prove it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle.contents import (
    CALIBRATION,
    DOCUMENT_TABLE,
    EDGE_TABLE,
    ENCODER,
    FEATURES,
    FIRST_PASS,
    FORMAT,
    GOLDEN,
    MANIFEST,
    PASSAGE_TABLE,
    RANKER,
    TOKEN_ENCODER,
    Model,
)
from rulerank.bundle.load import load_bundle
from rulerank.bundle.verify import digest, golden_rows
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.features.storage import save_index
from rulerank.files import replacing_folder, sha256, write_json
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES


def write_bundle(
    folder: Path,
    *,
    documents: pl.DataFrame,
    passages: pl.DataFrame,
    edges: pl.DataFrame,
    index: RankingIndex,
    encoder: Path,
    token_encoder: Path,
    models: Mapping[str, Model],
    first_pass: FirstPass | None,
    calibration: Mapping[str, float],
    golden: FloatArray,
    facts: Mapping[str, Any],
) -> None:
    """Write a bundle, whole or not at all: one that cannot be loaded replaces nothing.

    Parameters
    ----------
    folder : Path
        Where; an older bundle there is replaced.
    documents, passages, edges, index, models, first_pass, calibration
        As in `Bundle`.
    encoder : Path
        The encoder's folder.
    token_encoder : Path
        The same for the one that gives tokens; may be the same folder.
    golden : array of shape (rows, features)
        Rows of the matrix of `RANKER`, kept with their scores.
    facts : mapping
        What else the manifest says: settings, versions, provenance.

    Raises
    ------
    BundleError
        What was written cannot be loaded.

    """
    with replacing_folder(folder) as temporary:
        DOCUMENTS.write(documents, temporary / DOCUMENT_TABLE)
        PASSAGES.write(passages, temporary / PASSAGE_TABLE)
        EDGES.write(edges, temporary / EDGE_TABLE)
        save_index(index, temporary)
        shutil.copytree(encoder, temporary / ENCODER)
        if index.late is not None and token_encoder != encoder:
            shutil.copytree(token_encoder, temporary / TOKEN_ENCODER)
        curves = {RANKER: dict(calibration)}
        written: dict[str, Model | FirstPass] = dict(models)
        if first_pass is not None:
            written[FIRST_PASS] = first_pass
            curves[FIRST_PASS] = dict(first_pass.curve)
        for name, model in written.items():
            (temporary / f"{name}.txt").write_text(model.booster.model_to_string(), encoding="utf-8")
        write_json(temporary / FEATURES, {name: model.features.describe() for name, model in written.items()})
        write_json(temporary / CALIBRATION, curves)
        golden_rows(models[RANKER], golden).write_parquet(temporary / GOLDEN)
        files = sorted(path for path in temporary.rglob("*") if path.is_file())
        hashes = {path.relative_to(temporary).as_posix(): sha256(path) for path in files}
        manifest = {**facts, "format": FORMAT, "files": hashes}
        write_json(temporary / MANIFEST, {**manifest, "digest": digest(manifest)})
        load_bundle(temporary)
