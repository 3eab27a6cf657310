from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from rulerank.bundle import load, load_bundle, verify_bundle
from rulerank.bundle.manifest import digest
from rulerank.bundle.names import FORMAT
from rulerank.errors import BundleError

VOCABULARY = "index/generators/bm25/vocabulary.json"


@pytest.mark.parametrize(
    "name",
    [
        "ranker.txt",
        "passages.arrow",
        "index/generators/dense/vectors.npy",
        "encoder/model.onnx",
        "encoder/weights.bin",
        "golden/extracted.arrow",
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


@pytest.mark.parametrize("name", ["leftover.npy", "token_encoder/model.onnx", "index/generators/late/b.npy"])
def test_file_of_another_bundle_is_refused(copy: Path, name: str) -> None:
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_bytes(b"left over")
    with pytest.raises(
        BundleError, match=rf"{name}: expected only the files that manifest\.json lists, found another"
    ):
        load_bundle(copy)


def test_size_that_is_not_that_of_the_file_is_refused(copy: Path) -> None:
    # Large files of the index would leave out the golden question.
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["sizes"]["index/around/parents.npy"] = 10**12
    said = {key: value for key, value in manifest.items() if key != "digest"}
    (copy / "manifest.json").write_text(json.dumps({**said, "digest": digest(said)}))
    with pytest.raises(BundleError, match=r"parents\.npy: expected 1000000000000 bytes, found \d+"):
        load_bundle(copy)


def test_large_file_is_loaded_by_its_size_and_verified_by_its_hash(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = copy / "index/generators/dense/vectors.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    changed = r"vectors\.npy: expected SHA-256"
    monkeypatch.setattr(load, "LARGE", len(content))
    with pytest.raises(BundleError, match=changed):
        load_bundle(copy)
    monkeypatch.setattr(load, "LARGE", len(content) - 1)
    load_bundle(copy)
    with pytest.raises(BundleError, match=changed):
        verify_bundle(copy)


def test_large_file_of_another_size_is_refused(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LARGE", 0)
    load_bundle(copy)
    with (copy / VOCABULARY).open("a") as file:
        file.write(" ")
    with pytest.raises(BundleError, match=r"vocabulary\.json: expected SHA-256"):
        load_bundle(copy)


def test_folder_that_is_no_bundle_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"expected an exported ranker: .*manifest\.json: expected a file"):
        load_bundle(tmp_path)


@pytest.mark.parametrize("content", ["[]", "{}", "{", "7", '{"format": 3}', '{"format": 5}'])
def test_manifest_of_something_else_is_refused(copy: Path, content: str) -> None:
    (copy / "manifest.json").write_text(content)
    with pytest.raises(BundleError, match="expected"):
        load_bundle(copy)


FORMATS = sorted(Path(__file__).with_name("formats").iterdir(), key=lambda path: int(path.stem))


def test_there_is_a_manifest_of_each_older_format() -> None:
    assert [int(path.stem) for path in FORMATS] == list(range(1, FORMAT))


@pytest.mark.parametrize("older", FORMATS, ids=lambda path: path.stem)
def test_older_format_is_refused_with_the_command_that_exports_anew(tmp_path: Path, older: Path) -> None:
    shutil.copy(older, tmp_path / "manifest.json")
    expected = rf"expected bundle format {FORMAT}, found {older.stem}\. .*`dvc repro export`"
    with pytest.raises(BundleError, match=expected):
        load_bundle(tmp_path)


@pytest.mark.parametrize("number", [f"{FORMAT + 1}", f"{FORMAT}.0", "true", f'"{FORMAT}"', "null", "1e400"])
def test_format_of_another_kind_is_refused(tmp_path: Path, number: str) -> None:
    (tmp_path / "manifest.json").write_text(f'{{"format": {number}}}')
    with pytest.raises(BundleError, match=f"expected bundle format {FORMAT}, found"):
        load_bundle(tmp_path)
