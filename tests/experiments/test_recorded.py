from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

PROJECT = Path(__file__).parents[2]
Script = Callable[..., CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Three recorded experiments: the harbour, the harbour with another encoder, and the sea."""
    named, expected = tmp_path / "experiments/named", tmp_path / "experiments/expected"
    for folder in (named, expected, tmp_path / "data/harbour"):
        folder.mkdir(parents=True)
    shutil.copy(PROJECT / "params.yaml", tmp_path)
    shutil.copy(PROJECT / "experiments/recorded.py", tmp_path / "experiments")
    for name, data in (("quick", "harbour"), ("hub", "harbour"), ("deep", "sea")):
        (named / f"{name}.yaml").write_text("about: x\n")
        known = {"data": data, "split": "validation", "queries": 1, "runs": {}}
        (expected / f"{name}.json").write_text(json.dumps(known))
    (named / "hub.yaml").write_text("about: x\nof: quick\nparams: {encoder: {name: some/encoder}}\n")
    return tmp_path


def test_experiments_of_the_corpus_that_need_no_download_are_listed(project: Path, script: Script) -> None:
    done = script(project, "experiments/recorded.py", "--data", "data/harbour", "--list")
    assert (done.returncode, done.stdout) == (0, "quick\n")


def test_corpus_without_recorded_results_is_an_error(project: Path, script: Script) -> None:
    done = script(project, "experiments/recorded.py", "--data", "data/desert")
    assert done.returncode == 1
    assert "expected a corpus of which results are recorded in experiments/expected" in done.stderr
