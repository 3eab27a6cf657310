from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER, load_bundle, write_bundle
from rulerank.features.feature_set import FeatureSet


def test_bundle_holds_what_a_service_needs_and_no_pickle(bundle: Path) -> None:
    names = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    assert names == {
        "manifest.json",
        "ranker.txt",
        "ranker_without_judgement.txt",
        "first_pass.txt",
        "features.json",
        "documents.parquet",
        "passages.parquet",
        "edges.parquet",
        "index.safetensors",
        "embeddings.safetensors",
        "adapter.safetensors",
        "late.safetensors",
        "latent.safetensors",
        "vocabulary.json",
        "calibration.json",
        "golden.parquet",
        "encoder/model.onnx",
        "encoder/tokenizer.json",
        "encoder/encoder.json",
    }
    # Every pickle since protocol 2 starts with 0x80 and its number; zip files hold torch's and numpy's.
    starts = {name: (bundle / name).read_bytes()[:2] for name in names}
    assert not [
        name for name, start in starts.items() if start in (b"PK", *(bytes([128, n]) for n in range(6)))
    ]


def test_bundle_can_be_read_by_whoever_can_read_its_folder(bundle: Path) -> None:
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in bundle.rglob("*") if path.is_file()}
    assert len(set(modes.values())) == 1, modes


def test_manifest_says_where_the_ranker_comes_from(bundle: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    assert manifest["format"] == 3
    assert manifest["data"]["name"] == "sample"
    assert set(manifest["data"]["files"]) >= {"corpus.jsonl", "queries.jsonl", "qrels/train.tsv"}
    assert manifest["settings"]["ranker"]["num_leaves"] == 15
    assert manifest["feature_set"] == load_bundle(bundle).models[RANKER].features.digest
    assert set(manifest["versions"]) >= {"lightgbm", "onnxruntime", "polars"}


def test_bundle_written_again_is_the_same_to_the_byte(bundle: Path, tmp_path: Path) -> None:
    loaded = load_bundle(bundle)
    golden = pl.read_parquet(bundle / "golden.parquet").drop("score").to_numpy()
    again = tmp_path / "again"
    write_bundle(
        again,
        documents=loaded.documents,
        passages=loaded.passages,
        edges=loaded.edges,
        index=loaded.index,
        encoder=bundle / "encoder",
        token_encoder=bundle / "encoder",
        models=loaded.models,
        first_pass=loaded.first_pass,
        calibration=loaded.calibration,
        golden=golden,
        facts={
            key: value for key, value in loaded.manifest.items() if key not in ("files", "format", "digest")
        },
    )
    for path in bundle.rglob("*"):
        if path.is_file():
            assert (again / path.relative_to(bundle)).read_bytes() == path.read_bytes(), path.name


@pytest.mark.parametrize("features", [None, FeatureSet(())])
def test_bundle_that_cannot_be_written_or_loaded_leaves_the_old_one(
    copy: Path, features: FeatureSet | None
) -> None:
    loaded = load_bundle(copy)
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    model = loaded.models[RANKER]
    with pytest.raises(Exception, match=r"\w"):
        write_bundle(
            copy,
            documents=loaded.documents,
            passages=loaded.passages,
            edges=loaded.edges,
            index=loaded.index,
            encoder=copy / "encoder",
            token_encoder=copy / "encoder",
            models={RANKER: model if features is None else replace(model, features=features)},
            first_pass=loaded.first_pass,
            calibration={},
            golden=np.zeros((1, len(model.features)), np.float32),
            # Without settings nothing can be loaded.
            facts={},
        )
    assert {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()} == before
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
