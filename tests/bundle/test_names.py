from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle import load_bundle
from rulerank.bundle.manifest import LARGEST_MANIFEST, digest
from rulerank.errors import BundleError, InputError
from rulerank.ranker import Ranker
from rulerank.threads import MOST_THREADS


def _listing(folder: Path, name: str) -> None:
    """Add a file to the manifest."""
    manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    del manifest["digest"]
    manifest["files"][name] = "0" * 64
    manifest["sizes"][name] = 1
    (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest(manifest)}))


@pytest.mark.parametrize(
    "name",
    [
        "../outside",
        "/etc/passwd",
        "index/../../outside",
        "a//b",
        "./ranker.txt",
        "",
        ".",
        "nul\0",
        "a\\b",
        "a\nb",
    ],
)
def test_name_that_leads_out_of_the_folder_is_refused_unread(copy: Path, name: str) -> None:
    (copy.parent / "outside").write_text("secret")
    _listing(copy, name)
    with pytest.raises(
        BundleError, match=r"(?s)manifest\.json: .*expected the name of a file within"
    ) as refused:
        load_bundle(copy)
    assert "SHA-256" not in str(refused.value)


@pytest.mark.parametrize("name", ["splade.py", "index/splade.cpython-311-x86_64-linux-gnu.so", "a.pyc"])
def test_file_that_python_can_import_is_refused(copy: Path, name: str) -> None:
    _listing(copy, name)
    with pytest.raises(BundleError, match=r"(?s)manifest\.json: .*expected no file that Python can import"):
        load_bundle(copy)


@pytest.mark.parametrize("name", ["encoder/.w.bin", ".hidden", "index/.cache/a"])
def test_hidden_file_that_is_not_listed_is_refused(copy: Path, name: str) -> None:
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_bytes(b"weights")
    with pytest.raises(BundleError, match=r"expected only the files that manifest\.json lists"):
        load_bundle(copy)


@pytest.mark.parametrize("name", ["ranker.txt", "encoder", "manifest.json"])
def test_link_is_refused_even_to_the_same_content(copy: Path, name: str) -> None:
    (copy / name).rename(copy.parent / "elsewhere")
    (copy / name).symlink_to(copy.parent / "elsewhere")
    with pytest.raises(BundleError, match="found a link"):
        load_bundle(copy)


def test_folder_of_the_bundle_may_be_a_link(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(bundle)
    load_bundle(tmp_path / "current")


def test_pipe_is_refused_without_waiting_for_its_content(copy: Path) -> None:
    (copy / "trust.json").unlink()
    os.mkfifo(copy / "trust.json")
    with pytest.raises(BundleError, match=r"trust\.json: expected plain files"):
        load_bundle(copy)


def test_manifest_without_end_is_refused_unread(copy: Path) -> None:
    with (copy / "manifest.json").open("r+b") as file:
        file.truncate(LARGEST_MANIFEST + 1)
    with pytest.raises(BundleError, match="expected at most"):
        load_bundle(copy)


def test_onnx_weights_outside_of_the_folder_are_refused(copy: Path, seal: Callable[..., None]) -> None:
    onnx = pytest.importorskip("onnx")
    model = onnx.load(copy / "encoder/model.onnx")
    first = model.graph.initializer[0]
    (copy.parent / "w.bin").write_bytes(first.raw_data)
    first.ClearField("raw_data")
    first.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", "../../w.bin"), ("offset", "0")):
        entry = first.external_data.add()
        entry.key, entry.value = key, value
    (copy / "encoder/model.onnx").write_bytes(model.SerializeToString())
    seal(copy)
    with pytest.raises(BundleError, match=r"encoder/model\.onnx: expected a whole file"):
        load_bundle(copy)


def test_more_threads_than_any_machine_has_are_refused(bundle: Path) -> None:
    with pytest.raises(InputError, match=rf"threads: expected at most {MOST_THREADS}, found 5000"):
        Ranker.load(bundle, threads=5000)
