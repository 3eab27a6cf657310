from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.bundle import RANKER, load_bundle
from rulerank.bundle.verify import digest
from rulerank.errors import BundleError
from rulerank.files import sha256


def _seal(folder: Path, **changes: Any) -> None:
    """Change the manifest and sign it again, as another version of the program would have written it."""
    manifest = json.loads((folder / "manifest.json").read_text()) | changes
    del manifest["digest"]
    for name in manifest["files"]:
        manifest["files"][name] = sha256(folder / name)
    (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest(manifest)}))


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


@pytest.mark.parametrize("name", ["leftover.safetensors", "token_encoder/model.onnx"])
def test_file_of_another_bundle_is_refused(copy: Path, name: str) -> None:
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_bytes(b"left over")
    with pytest.raises(
        BundleError, match=rf"{name}: expected the files of manifest\.json alone, found another"
    ):
        load_bundle(copy)


def test_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"expected an exported ranker: .*manifest\.json: expected a file"):
        load_bundle(tmp_path)


@pytest.mark.parametrize("content", ["[]", "{}", "{", "7", '{"format": 3}'])
def test_manifest_of_something_else_is_refused(copy: Path, content: str) -> None:
    (copy / "manifest.json").write_text(content)
    with pytest.raises(BundleError):
        load_bundle(copy)


def test_other_format_is_refused(copy: Path) -> None:
    _seal(copy, format=1)
    with pytest.raises(BundleError, match="expected bundle format 3, found 1"):
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
