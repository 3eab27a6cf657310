"""The exported ranker on disk: one folder, no pickle, every file hashed, golden rows to prove it."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.errors import BundleError, InputError
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.features.registry import FeatureSet, registered
from rulerank.features.storage import load_index, save_index
from rulerank.files import read_json, replacing_folder, sha256, write_json
from rulerank.retrieve.dense import Encoder
from rulerank.settings import Answer, Candidates, Extract
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

FORMAT = 2
"""Raised when a reader of the older format could no longer read the new one."""

MANIFEST, FEATURES, CALIBRATION, GOLDEN = (
    "manifest.json",
    "features.json",
    "calibration.json",
    "golden.parquet",
)
DOCUMENT_TABLE, PASSAGE_TABLE, EDGE_TABLE = "documents.parquet", "passages.parquet", "edges.parquet"
ENCODER, TOKEN_ENCODER = "encoder", "token_encoder"

RANKER = "ranker"
"""The model that answers."""

WITHOUT_JUDGEMENT = "ranker_without_judgement"
"""The model that has learned nothing about single passages: what to expect of a new rulebook."""

FIRST_PASS = "first_pass"  # noqa: S105
"""What makes the list that the models look at, unless none of their features does."""

TOLERANCE = 1e-6
"""How far a golden score may be off: LightGBM sums leaves in double precision."""


@dataclass(frozen=True, eq=False)
class Model:
    """One trained ranker and the features it reads, in order."""

    booster: lightgbm.Booster
    features: FeatureSet


@dataclass(frozen=True, eq=False)
class Bundle:
    """An exported ranker in memory.

    Parameters
    ----------
    manifest : mapping
        Format, versions, settings, provenance, and the hash of every file.
    documents, passages, edges : polars.DataFrame
        The corpus.
    index : RankingIndex
        The corpus under the generators and features.
    encoder : Encoder
        Embeds questions.
    token_encoder : Encoder
        Gives their tokens: the encoder as it came, which may not be the one that embeds.
    models : mapping of str to Model
        By name; `RANKER` is always there.
    first_pass : FirstPass, optional
        Where a model has features of the second pass.
    calibration : mapping of str to float
        `slope` and `intercept` of the logistic curve from score to probability.

    """

    manifest: Mapping[str, Any]
    documents: pl.DataFrame
    passages: pl.DataFrame
    edges: pl.DataFrame
    index: RankingIndex
    encoder: Encoder
    token_encoder: Encoder
    models: Mapping[str, Model]
    first_pass: FirstPass | None
    calibration: Mapping[str, float]

    @cached_property
    def features(self) -> FeatureSet:
        """The columns of the matrix at run time: what the ranker reads, and what its first pass does."""
        own = self.models[RANKER].features
        return own if self.first_pass is None else own.joined(self.first_pass.features)

    def embed(self, questions: Sequence[str]) -> FloatArray:
        """Embed questions as the passages of the index are embedded, shape (questions, dimension)."""
        vectors, latent = self.encoder.encode(questions, "query"), self.index.search.dense.latent
        return vectors if latent is None else latent.beside(vectors, questions)

    def scores(self, name: str, matrix: FloatArray) -> FloatArray:
        """Return what a model says of rows whose columns are `features`, shape (rows,)."""
        model = self.models[name]
        scores: FloatArray = np.asarray(model.booster.predict(matrix[:, self.columns(model.features)]))
        return scores

    def columns(self, features: FeatureSet) -> list[int]:
        """Return where some features stand among `features`."""
        place = {each: column for column, each in enumerate(self.features.names)}
        return [place[each] for each in features.names]

    @property
    def candidates(self) -> Candidates:
        """The section `candidates` of the params it was trained with."""
        return Candidates.model_validate(self.manifest["settings"]["candidates"])

    @property
    def answer(self) -> Answer:
        """The section `answer` of the params it was trained with."""
        return Answer.model_validate(self.manifest["settings"]["answer"])


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
    """Write a bundle, whole or not at all.

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
        _golden(models[RANKER], golden).write_parquet(temporary / GOLDEN)
        files = sorted(path for path in temporary.rglob("*") if path.is_file())
        hashes = {path.relative_to(temporary).as_posix(): sha256(path) for path in files}
        manifest = {**facts, "format": FORMAT, "files": hashes}
        write_json(temporary / MANIFEST, {**manifest, "digest": _digest(manifest)})


def load_bundle(folder: Path, threads: int = 1) -> Bundle:
    """Read a bundle after checking every file against its hash, and the golden rows against their scores.

    Raises
    ------
    BundleError
        The folder is no bundle, a file is missing or changed, the format or a feature is another
        version's, or a golden row scores differently.

    """
    manifest = _read_manifest(folder)
    passages = PASSAGES.read(folder / PASSAGE_TABLE)
    settings = Extract.model_validate(manifest["settings"]["extract"])
    described = read_json(folder / FEATURES)
    models = {name: _load_model(folder, name, features) for name, features in described.items()}
    curves = read_json(folder / CALIBRATION)
    first = models.pop(FIRST_PASS, None)
    _check_golden(folder, models[RANKER])
    encoder = Encoder(folder / ENCODER, threads)
    another = (folder / TOKEN_ENCODER).is_dir()
    return Bundle(
        manifest=manifest,
        documents=DOCUMENTS.read(folder / DOCUMENT_TABLE),
        passages=passages,
        edges=EDGES.read(folder / EDGE_TABLE),
        index=load_index(folder, passages["passage_id"], settings),
        encoder=encoder,
        token_encoder=Encoder(folder / TOKEN_ENCODER, threads) if another else encoder,
        models=models,
        first_pass=FirstPass(first.booster, first.features, curves[FIRST_PASS]) if first else None,
        calibration=curves[RANKER],
    )


def _read_manifest(folder: Path) -> dict[str, Any]:
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
    hashes = {MANIFEST: (manifest.get("digest"), _digest(said))}
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
    return manifest


def _digest(manifest: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()


def _load_model(folder: Path, name: str, described: list[dict[str, Any]]) -> Model:
    try:
        features = registered().named([each["name"] for each in described])
    except ValueError as error:
        raise BundleError(f"{folder / FEATURES}: {error}") from error
    if features.describe() != described:
        raise BundleError(
            f"{folder / FEATURES}: the ranker was trained with other definitions of its features than this "
            "version has. Train it again, or load it with the version named in manifest.json."
        )
    return Model(lightgbm.Booster(model_file=str(folder / f"{name}.txt")), features)


def _golden(model: Model, rows: FloatArray) -> pl.DataFrame:
    scores: FloatArray = np.asarray(model.booster.predict(rows))
    return model.features.frame(rows).with_columns(pl.Series("score", scores))


def _check_golden(folder: Path, model: Model) -> None:
    golden = pl.read_parquet(folder / GOLDEN)
    scores = np.asarray(model.booster.predict(golden.select(model.features.names).to_numpy()))
    difference = float(np.abs(scores - golden["score"].to_numpy()).max(initial=0))
    if difference > TOLERANCE:
        raise BundleError(
            f"{folder / GOLDEN}: golden rows score {difference:.2g} off, expected at most {TOLERANCE}. "
            "Check the version of lightgbm against manifest.json."
        )
