"""An exported ranker read from its folder."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rulerank.answer.selection import Selection
from rulerank.bundle.contents import (
    CALIBRATION,
    COMPLETION,
    DOCUMENT_TABLE,
    EDGE_TABLE,
    ENCODER,
    FEATURES,
    FIRST_PASS,
    INDEX,
    PASSAGE_TABLE,
    SELECTION,
    TOKEN_ENCODER,
    TRUST,
    Bundle,
    Contents,
    Model,
)
from rulerank.bundle.golden import check_rows
from rulerank.bundle.verify import LARGE, read_manifest
from rulerank.errors import BundleError
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import registered
from rulerank.features.storage import load_index
from rulerank.files import read_json
from rulerank.retrieve.encoder import Encoder
from rulerank.settings import Candidates, Extract
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from rulerank.trees import Trees

_REMEDY = "Train the ranker again, or load it with the version named in manifest.json."


def load_bundle(folder: Path, threads: int = 1) -> Bundle:
    """Read a bundle after checking its files, and the golden rows against their scores.

    Files are checked against their hashes, those of more than `LARGE` bytes by their size alone.

    Raises
    ------
    BundleError
        The folder is no bundle, a file is missing or changed, the format or a feature is another
        version's, or a golden row scores differently.

    """
    manifest = read_manifest(folder, largest=LARGE)
    # onnxruntime prepares an encoder in a thread of its own, while all else is read.
    with ThreadPoolExecutor(1) as pool:
        encoders = pool.submit(_load_encoders, folder, manifest, threads)
        contents = _load_contents(folder, manifest)
        check_rows(folder, contents.trained)
        encoder, token_encoder = encoders.result()
    return Bundle(**vars(contents), manifest=manifest, encoder=encoder, token_encoder=token_encoder)


def _load_encoders(folder: Path, manifest: Mapping[str, Any], threads: int) -> tuple[Encoder, Encoder]:
    """Read what embeds questions and what gives their tokens; they may be one."""
    encoder = Encoder(folder / ENCODER, threads)
    another = any(name.startswith(f"{TOKEN_ENCODER}/") for name in manifest["files"])
    return encoder, Encoder(folder / TOKEN_ENCODER, threads) if another else encoder


def _load_contents(folder: Path, manifest: Mapping[str, Any]) -> Contents:
    settings = manifest["settings"]
    passages = PASSAGES.map(folder / PASSAGE_TABLE)
    candidates = Candidates.model_validate(settings["candidates"])
    extract = Extract.model_validate(settings["extract"])
    index = load_index(folder / INDEX, passages["passage_id"], candidates, extract)
    curves, completions = read_json(folder / CALIBRATION), _load_completions(folder)
    known = registered(index.plugged_in)
    models = {
        name: _load_model(folder, name, known, described, curves[name], completions.get(name))
        for name, described in read_json(folder / FEATURES).items()
    }
    first = models.pop(FIRST_PASS, None)
    return Contents(
        documents=DOCUMENTS.map(folder / DOCUMENT_TABLE),
        passages=passages,
        edges=EDGES.map(folder / EDGE_TABLE),
        index=index,
        models=models,
        first_pass=FirstPass(first.trees, first.features, first.curve) if first else None,
        trust=read_json(folder / TRUST),
        selections=_load_selections(folder, models),
    )


def _load_selections(folder: Path, models: Mapping[str, Model]) -> dict[str, Selection]:
    try:
        return {
            name: Selection.read(said, models[name].features.names)
            for name, said in read_json(folder / SELECTION).items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(
            f"{folder / SELECTION}: expected what selects evidence: {error}. {_REMEDY}"
        ) from error


def _load_completions(folder: Path) -> dict[str, Completion]:
    try:
        return {name: Completion.read(said) for name, said in read_json(folder / COMPLETION).items()}
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BundleError(
            f"{folder / COMPLETION}: expected what completes judged sets: {error}. {_REMEDY}"
        ) from error


def _load_model(
    folder: Path,
    name: str,
    known: FeatureSet,
    described: list[dict[str, Any]],
    curve: Mapping[str, float],
    completion: Completion | None,
) -> Model:
    try:
        features = known.named([each["name"] for each in described])
    except ValueError as error:
        raise BundleError(f"{folder / FEATURES}: {error} {_REMEDY}") from error
    said = [{key: value for key, value in each.items() if key != "definition"} for each in described]
    other = [each["name"] for each, now in zip(said, features.identities, strict=True) if each != now]
    if other:
        raise BundleError(
            f"{folder / FEATURES}: the ranker was trained with other versions of {', '.join(other)} than "
            f"this version of rulerank has. {_REMEDY}"
        )
    return Model(Trees.read(folder / f"{name}.txt"), features, curve, completion)
