"""An exported ranker read from its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lightgbm

from rulerank.bundle.contents import (
    CALIBRATION,
    DOCUMENT_TABLE,
    EDGE_TABLE,
    ENCODER,
    FEATURES,
    FIRST_PASS,
    PASSAGE_TABLE,
    RANKER,
    TOKEN_ENCODER,
    Bundle,
    Model,
)
from rulerank.bundle.verify import check_golden, read_manifest
from rulerank.errors import BundleError
from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import registered
from rulerank.features.storage import load_index
from rulerank.files import read_json
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Extract
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

_REMEDY = "Train the ranker again, or load it with the version named in manifest.json."


def load_bundle(folder: Path, threads: int = 1) -> Bundle:
    """Read a bundle after checking every file against its hash, and the golden rows against their scores.

    Raises
    ------
    BundleError
        The folder is no bundle, a file is missing or changed, the format or a feature is another
        version's, or a golden row scores differently.

    """
    manifest = read_manifest(folder)
    passages = PASSAGES.read(folder / PASSAGE_TABLE)
    settings = Extract.model_validate(manifest["settings"]["extract"])
    described = read_json(folder / FEATURES)
    models = {name: _load_model(folder, name, features) for name, features in described.items()}
    curves = read_json(folder / CALIBRATION)
    first = models.pop(FIRST_PASS, None)
    check_golden(folder, models[RANKER])
    encoder = Encoder(folder / ENCODER, threads)
    another = any(name.startswith(f"{TOKEN_ENCODER}/") for name in manifest["files"])
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


def _load_model(folder: Path, name: str, described: list[dict[str, Any]]) -> Model:
    try:
        features = registered().named([each["name"] for each in described])
    except ValueError as error:
        raise BundleError(f"{folder / FEATURES}: {error} {_REMEDY}") from error
    if features.describe() != described:
        raise BundleError(
            f"{folder / FEATURES}: the ranker was trained with other definitions of its features than this "
            f"version has. {_REMEDY}"
        )
    return Model(lightgbm.Booster(model_file=str(folder / f"{name}.txt")), features)
