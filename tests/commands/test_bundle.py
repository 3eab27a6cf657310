from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle import load


def test_verified_bundle_is_one_line(call: Callable[..., Any], bundle: Path) -> None:
    said = call("bundle", "verify", bundle)
    assert said == (0, f"{bundle}: files, scores and features are those of the export\n", "")


def test_slim_names_the_ranker_that_it_replaces(
    call: Callable[..., Any], bundle: Path, tmp_path: Path
) -> None:
    out = tmp_path / "slim"
    assert call("bundle", "slim", bundle, out).err == ""
    name, digest = (load.load_bundle(out).manifest[key] for key in ("data", "digest"))
    told = f"warning: {out}: replaced the ranker that was there ({name['name']}, digest {digest[:12]})\n"
    said = call("bundle", "slim", bundle, out, "--model", "ranker_without_judgement")
    assert (said.code, said.err) == (0, told)


def test_changed_byte_of_a_large_file_is_one_error(
    call: Callable[..., Any], bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = shutil.copytree(bundle, tmp_path / "bundle")
    path = copy / "index/generators/dense/vectors.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    monkeypatch.setattr(load, "LARGE", 0)
    said = call("bundle", "verify", copy)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"error: {path}: expected SHA-256 ")
    assert said.err.count("\n") == 1
