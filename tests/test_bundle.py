from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank import bundle as bundles
from rulerank.bundle import RANKER, load_bundle, write_bundle
from rulerank.errors import BundleError
from rulerank.features.extract import extract, unseen
from rulerank.features.registry import FeatureSet, registered
from rulerank.ranker import Ranker
from rulerank.retrieve.search import prepare_queries

HEAVY = (
    "torch",
    "mlflow",
    "optuna",
    "networkx",
    "sentence_transformers",
    "transformers",
    "dvc",
    "matplotlib",
)
WITHOUT = f"""
import sys
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {HEAVY}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
"""
QUESTION = "Who has to keep the register?"


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return shutil.copytree(bundle, tmp_path / "bundle")


def _seal(folder: Path, **changes: Any) -> None:
    """Change the manifest and sign it again, as another version of the program would have written it."""
    manifest = json.loads((folder / "manifest.json").read_text()) | changes
    del manifest["digest"]
    for name in manifest["files"]:
        manifest["files"][name] = bundles.sha256(folder / name)
    digest = bundles._digest(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest}))


def test_bundle_is_loaded_and_run_without_what_trained_it(pipeline: Path, run: Callable[..., Any]) -> None:
    program = f"{WITHOUT}\nimport rulerank\nranked = rulerank.load('outputs/bundle').rank({QUESTION!r}, 3)\n"
    program += "print(*[passage.passage_id for passage in ranked])"
    done = run(pipeline, "-c", program)
    assert done.returncode == 0, done.stderr
    expected = Ranker.load(pipeline / "outputs/bundle").rank(QUESTION, 3)
    assert done.stdout.split() == [passage.passage_id for passage in expected]


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
    assert manifest["format"] == 2
    assert manifest["data"]["name"] == "sample"
    assert set(manifest["data"]["files"]) >= {"corpus.jsonl", "queries.jsonl", "qrels/train.tsv"}
    assert manifest["settings"]["ranker"]["num_leaves"] == 15
    assert manifest["feature_set"] == load_bundle(bundle).models[RANKER].features.digest
    assert set(manifest["versions"]) >= {"lightgbm", "onnxruntime", "polars"}


@pytest.mark.parametrize(
    "name",
    [
        "ranker.txt",
        "passages.parquet",
        "index.safetensors",
        "encoder/model.onnx",
        "golden.parquet",
        "manifest.json",
    ],
)
def test_changed_byte_is_refused_by_the_name_of_its_file(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    place = content.index(b'"seed": 7') + 8 if name == "manifest.json" else len(content) // 2
    content[place] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(
        BundleError, match=rf"{name}: expected SHA-256 \w+, found \w+\. The bundle was changed"
    ):
        load_bundle(copy)


@pytest.mark.parametrize("name", ["ranker.txt", "encoder/tokenizer.json"])
def test_missing_file_is_refused_by_its_name(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(BundleError, match=rf"{name}: expected SHA-256 \w+, found no file"):
        load_bundle(copy)


def test_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"expected an exported ranker: .*manifest\.json: expected a file"):
        load_bundle(tmp_path)


@pytest.mark.parametrize("content", ["[]", "{}", "{", "7", '{"format": 2}'])
def test_manifest_of_something_else_is_refused(copy: Path, content: str) -> None:
    (copy / "manifest.json").write_text(content)
    with pytest.raises(BundleError):
        load_bundle(copy)


def test_other_format_is_refused(copy: Path) -> None:
    _seal(copy, format=1)
    with pytest.raises(BundleError, match="expected bundle format 2, found 1"):
        load_bundle(copy)


def test_changed_definition_of_a_feature_is_refused(copy: Path) -> None:
    described = json.loads((copy / "features.json").read_text())
    described[RANKER][0]["definition"] = "Something else."
    (copy / "features.json").write_text(json.dumps(described))
    _seal(copy)
    with pytest.raises(BundleError, match=r"features\.json: the ranker was trained with other definitions"):
        load_bundle(copy)


def test_feature_that_this_version_does_not_have_is_refused(copy: Path) -> None:
    described = json.loads((copy / "features.json").read_text())
    described[RANKER][0]["name"] = "phase_of_the_moon"
    (copy / "features.json").write_text(json.dumps(described))
    _seal(copy)
    with pytest.raises(BundleError, match="phase_of_the_moon"):
        load_bundle(copy)


def test_golden_row_that_scores_differently_is_refused(copy: Path) -> None:
    golden = pl.read_parquet(copy / "golden.parquet")
    golden.with_columns(score=pl.col("score") + 0.01).write_parquet(copy / "golden.parquet")
    _seal(copy)
    with pytest.raises(BundleError, match=r"golden\.parquet: golden rows score 0\.01 off"):
        load_bundle(copy)


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


def test_index_gives_the_same_features_after_it_was_stored(
    pipeline: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulerank.learn.workspace import Workspace
    from rulerank.settings import load_settings

    monkeypatch.chdir(pipeline)
    built, stored = Workspace().ranking_index(load_settings()), ranker.bundle.index
    texts = [QUESTION, "What does a pilot need before the first passage?"]
    tokens = ranker.bundle.token_encoder.tokens(texts, "query").mapped(stored.late.axes)
    asked = prepare_queries(["a", "b"], texts, ranker.bundle.encoder.encode(texts, "query"), tokens)
    (before,), (after,) = (
        list(extract(index, asked, unseen(asked), registered().of_pass(1), ranker.bundle.candidates))
        for index in (built, stored)
    )
    for name, scores in before.retrieved.scores.items():
        np.testing.assert_array_equal(scores, after.retrieved.scores[name])
    np.testing.assert_array_equal(before.matrix, after.matrix)


def test_bundle_that_cannot_be_written_leaves_the_old_one(copy: Path) -> None:
    loaded = load_bundle(copy)
    before = {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()}
    broken = replace(loaded.models[RANKER], features=FeatureSet(()))
    with pytest.raises(Exception, match=r"\w"):
        write_bundle(
            copy,
            documents=loaded.documents,
            passages=loaded.passages,
            edges=loaded.edges,
            index=loaded.index,
            encoder=copy / "encoder",
            token_encoder=copy / "encoder",
            models={RANKER: broken},
            first_pass=loaded.first_pass,
            calibration={},
            golden=np.zeros((1, 3), np.float32),
            facts={},
        )
    assert {path: path.read_bytes() for path in copy.rglob("*") if path.is_file()} == before
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
