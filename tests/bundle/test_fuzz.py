from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.bundle import load_bundle
from rulerank.bundle.manifest import digest
from rulerank.errors import BundleError
from rulerank.files import sha256

FILES = (
    "manifest.json",
    "features.json",
    "calibration.json",
    "trust.json",
    "selection.json",
    "affinity.json",
    "standing.json",
    "completion.json",
    "encoder/encoder.json",
    "index/around/defined_terms.json",
    "index/translation/words.json",
    "index/generators/bm25/vocabulary.json",
    "index/generators/closure/settings.json",
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["../../etc/passwd", "ranker", 2**70, -1, float("nan"), 1e308]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=4,
)


@pytest.fixture(scope="module")
def whole(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(bundle, tmp_path_factory.mktemp("fuzz") / "bundle")


@settings(max_examples=40)
@given(data=st.data())
def test_any_value_anywhere_in_the_json_files_is_read_or_refused(whole: Path, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(FILES))
    kept = {each: (whole / each).read_bytes() for each in {name, "manifest.json"}}
    changed = json.loads(kept[name])
    _replace(changed, data) if changed else None
    try:
        (whole / name).write_text(json.dumps(changed))
        manifest = json.loads((whole / "manifest.json").read_text())
        if isinstance(manifest, dict):
            _seal(whole, name, manifest)
        load_bundle(whole)
    except BundleError:
        pass
    finally:
        for each, content in kept.items():
            (whole / each).write_bytes(content)


@settings(max_examples=40)
@given(
    st.binary(max_size=200) | st.text(max_size=200).map(str.encode) | VALUES.map(json.dumps).map(str.encode)
)
def test_anything_in_place_of_the_manifest_is_refused(whole: Path, content: bytes) -> None:
    kept = (whole / "manifest.json").read_bytes()
    try:
        (whole / "manifest.json").write_bytes(content)
        with pytest.raises(BundleError):
            load_bundle(whole)
    finally:
        (whole / "manifest.json").write_bytes(kept)


def _replace(value: Any, data: st.DataObject) -> None:
    """Put another value somewhere into a JSON value, however deep."""
    while True:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(value[key], dict | list) or not value[key] or data.draw(st.booleans()):
            value[key] = data.draw(VALUES)
            return
        value = value[key]


def _seal(folder: Path, name: str, manifest: dict[str, Any]) -> None:
    files, sizes = manifest.get("files"), manifest.get("sizes")
    if name != "manifest.json" and isinstance(files, dict) and isinstance(sizes, dict):
        files[name], sizes[name] = sha256(folder / name), (folder / name).stat().st_size
    manifest.pop("digest", None)
    (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest(manifest)}))
