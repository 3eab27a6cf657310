from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from threadpoolctl import threadpool_limits

from rulerank.bundle import RANKER, Encoders, Golden, load_bundle, read_upkeep, write_bundle
from rulerank.bundle.golden import check_questions, write_extracted
from rulerank.bundle.reference import REFERENCE
from rulerank.errors import BundleError
from rulerank.features.feature_set import FeatureSet
from rulerank.files import read_json
from rulerank.ranker import Ranker

WRITTEN = ("files", "sizes", "format", "digest")
"""What a manifest says of the files themselves."""


@pytest.fixture(scope="module")
def golden(pipeline: Path, bundle: Path) -> Golden:
    """The golden material that proves the run's bundle."""
    rows = pl.scan_parquet(pipeline / "outputs/features.parquet").head(100).collect()
    return Golden(rows, pl.read_ipc(bundle / "golden/questions.arrow"))


def test_bundle_holds_what_a_service_needs_and_no_pickle(bundle: Path) -> None:
    names = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    in_company = [f"{name}_affinity" for name in read_json(bundle / "affinity.json")]
    assert {name for name in names if not name.startswith("index/")} == {
        *(f"{name}{suffix}" for name in in_company for suffix in (".txt", ".onnx")),
        *(f"golden/{name}.arrow" for name in in_company),
        "affinity.json",
        "standing.json",
        "manifest.json",
        "MODEL_CARD.md",
        "ranker.txt",
        "completion.json",
        "trust.json",
        "selection.json",
        "reference.json",
        "ranker_without_judgement.txt",
        "ranker_on_new_rules.txt",
        "first_pass.txt",
        "ranker.onnx",
        "ranker_without_judgement.onnx",
        "ranker_on_new_rules.onnx",
        "first_pass.onnx",
        "features.json",
        "calibration.json",
        "documents.arrow",
        "passages.arrow",
        "edges.arrow",
        "golden/ranker.arrow",
        "golden/ranker_without_judgement.arrow",
        "golden/ranker_on_new_rules.arrow",
        "golden/first_pass.arrow",
        "golden/questions.arrow",
        "golden/extracted.arrow",
        "golden/asked/embeddings.npy",
        "golden/asked/starts.npy",
        "golden/asked/tokens.npy",
        "encoder/model.onnx",
        "encoder/weights.bin",
        "encoder/tokenizer.json",
        "encoder/encoder.json",
        "upkeep/judged.arrow",
        "upkeep/names.json",
        "upkeep/maps/dense.npy",
        "upkeep/maps/late.npy",
    }
    generators = {path.name for path in (bundle / "index/generators").iterdir()}
    assert generators == {"bm25", "bm25_context", "dense", "late", "closure"}
    # A pickle since protocol 2 starts with 0x80 and its protocol; torch and numpy wrap theirs in zip files.
    starts = {name: (bundle / name).read_bytes()[:2] for name in names}
    assert not [
        name for name, start in starts.items() if start in (b"PK", *(bytes([128, n]) for n in range(6)))
    ]
    for path in (bundle / "index").rglob("*.npy"):
        np.load(path, allow_pickle=False)


def test_bundle_can_be_read_by_whoever_can_read_its_folder(bundle: Path) -> None:
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in bundle.rglob("*") if path.is_file()}
    assert len(set(modes.values())) == 1, modes


def test_manifest_says_where_the_ranker_comes_from(bundle: Path) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    assert manifest["format"] == 15
    assert manifest["data"]["name"] == "sample"
    assert set(manifest["data"]["files"]) >= {"corpus.jsonl", "queries.jsonl", "qrels/train.tsv"}
    assert manifest["settings"]["ranker"]["num_leaves"] == 14
    assert manifest["feature_set"] == load_bundle(bundle).models[RANKER].features.digest
    assert set(manifest["versions"]) >= {"lightgbm", "onnxruntime", "polars"}


def test_bundle_written_again_is_the_same_to_the_byte(bundle: Path, golden: Golden, tmp_path: Path) -> None:
    loaded, encoder = load_bundle(bundle), bundle / "encoder"
    facts = {key: value for key, value in loaded.manifest.items() if key not in WRITTEN}
    again = tmp_path / "again"
    reference, kept = read_json(bundle / REFERENCE), read_upkeep(bundle, loaded.index)
    # As in the run that wrote it: products of matrices depend on the number of threads.
    with threadpool_limits(1, "blas"):
        write_bundle(again, loaded, Encoders(encoder, encoder), golden, facts, reference, kept)
    for path in bundle.rglob("*"):
        if path.is_file():
            assert (again / path.relative_to(bundle)).read_bytes() == path.read_bytes(), path.name


def test_encoder_of_tokens_is_kept_where_it_is_another(bundle: Path, golden: Golden, tmp_path: Path) -> None:
    loaded, tokens = load_bundle(bundle), shutil.copytree(bundle / "encoder", tmp_path / "pretrained")
    facts = {key: value for key, value in loaded.manifest.items() if key not in WRITTEN}
    write_bundle(tmp_path / "both", loaded, Encoders(bundle / "encoder", tokens), golden, facts)
    both = load_bundle(tmp_path / "both")
    assert (tmp_path / "both/token_encoder/model.onnx").is_file()
    assert both.token_encoder is not both.encoder
    assert loaded.token_encoder is loaded.encoder


def test_bundle_that_cannot_be_written_leaves_the_old_one(copy: Path, golden: Golden) -> None:
    loaded, encoder = load_bundle(copy), copy / "encoder"
    before = _content(copy)
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        write_bundle(copy, loaded, Encoders(encoder, encoder), replace(golden, rows=golden.rows[:, :3]), {})
    assert _content(copy) == before
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def test_bundle_that_cannot_be_loaded_leaves_the_old_one(copy: Path, golden: Golden) -> None:
    loaded, encoder = load_bundle(copy), copy / "encoder"
    before, model = _content(copy), loaded.models[RANKER]
    first, *others = model.features
    newer = replace(model, features=FeatureSet((replace(first, version=99), *others)))
    facts = {key: value for key, value in loaded.manifest.items() if key not in WRITTEN}
    contents = replace(loaded, models={**loaded.models, RANKER: newer})
    with pytest.raises(BundleError, match=f"other versions of {first.name} than"):
        write_bundle(copy, contents, Encoders(encoder, encoder), golden, facts)
    assert _content(copy) == before
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]


def _content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_golden_questions_are_those_with_candidates(bundle: Path, ranker: Ranker, tmp_path: Path) -> None:
    copy = shutil.copytree(bundle, tmp_path / "bundle")
    path = copy / "golden/questions.arrow"
    unknown = pl.DataFrame({"query_id": ["unknown"], "text": ["xyzzy plugh"]})
    known = pl.read_ipc(path.read_bytes()).head(2)
    # Only a generator that reads words can find nothing.
    settings = ranker.bundle.manifest["settings"]
    candidates = {**settings["candidates"], "runs": ["bm25"]}
    manifest = {**ranker.bundle.manifest, "settings": {**settings, "candidates": candidates}}
    words = replace(ranker.bundle, manifest=manifest)
    for questions, left in ((pl.concat([unknown, known]), known), (known, known)):
        questions.write_ipc(path)
        write_extracted(words, copy)
        assert pl.read_ipc(path.read_bytes()).equals(left)
        found = pl.read_ipc(copy / "golden/extracted.arrow")
        assert found["query_id"].unique(maintain_order=True).to_list() == left["query_id"].to_list()
        check_questions(words, copy)
    unknown.write_ipc(path)
    with pytest.raises(
        BundleError, match="golden questions: expected passages that could answer one of the 1, found none"
    ):
        write_extracted(words, copy)
