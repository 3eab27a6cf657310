from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    "command", [("update", "bundle", "changes.jsonl"), ("index", "corpus", "--ranker", "bundle")]
)
def test_package_that_is_missing_is_told_before_anything_is_read(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "onnx", None)
    said = call(*command, "--out", "out")
    assert said.code == 1
    assert said.err == "error: expected the package onnx, found none. Install rulerank[train].\n"
    assert not list(tmp_path.iterdir())
