from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER, load_bundle
from rulerank.bundle.load import read_bundle
from rulerank.errors import BundleError
from rulerank.features.extract import extract
from rulerank.features.registry import registered
from rulerank.features.withheld import nothing_withheld
from rulerank.pipeline.workspace import Workspace
from rulerank.ranker import Ranker
from rulerank.settings import load_settings
from rulerank.tables import EDGES
from rulerank.text import analyser

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


def test_bundle_is_loaded_and_run_without_what_trained_it(pipeline: Path, run: Callable[..., Any]) -> None:
    program = f"{WITHOUT}\nimport rulerank\nranked = rulerank.load('outputs/bundle').rank({QUESTION!r}, 3)\n"
    program += "print(*[passage.passage_id for passage in ranked])"
    done = run(pipeline, "-c", program)
    assert done.returncode == 0, done.stderr
    expected = Ranker.load(pipeline / "outputs/bundle").rank(QUESTION, 3)
    assert done.stdout.split() == [passage.passage_id for passage in expected]


def test_index_gives_the_same_features_after_it_was_stored(
    pipeline: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pipeline)
    built, stored = Workspace(load_settings()).index(), ranker.bundle.index
    texts = [QUESTION, "What does a pilot need before the first passage?"]
    asked = ranker.bundle.queries(["a", "b"], texts)
    (before,), (after,) = (
        list(
            extract(index, asked, nothing_withheld(asked), registered().of_pass(1), ranker.bundle.candidates)
        )
        for index in (built, stored)
    )
    np.testing.assert_array_equal(before.pairs.columns, after.pairs.columns)
    for run, hits in before.pairs.retrieved.found.items():
        np.testing.assert_array_equal(hits.scores, after.pairs.retrieved.found[run].scores)
    np.testing.assert_array_equal(before.matrix, after.matrix)


@pytest.mark.parametrize("part", ["generators/late", "translation"])
def test_an_index_too_large_to_be_asked_must_still_hold_what_the_features_look_at(
    copy: Path, seal: Callable[..., None], part: str
) -> None:
    shutil.rmtree(copy / "index" / part)
    seal(copy)
    with pytest.raises(BundleError, match=rf"index/{part}: expected what the features of its group look at"):
        read_bundle(copy, 1, largest=0)


def test_reworded_definition_is_the_same_feature(copy: Path, seal: Callable[..., None]) -> None:
    _describe(copy, definition="Something else.")
    seal(copy)
    features = load_bundle(copy).models[RANKER].features
    assert features.features[0].definition != "Something else."


@pytest.mark.parametrize("change", [{"version": 99}, {"constants": {"WORDS": 0.5}}, {"group": "late"}])
def test_feature_of_another_version_is_refused_by_its_name(
    copy: Path, seal: Callable[..., None], change: dict[str, Any]
) -> None:
    name = _describe(copy, **change)
    seal(copy)
    with pytest.raises(BundleError, match=rf"features\.json: .* trained with other versions of {name} than"):
        load_bundle(copy)


def test_feature_that_this_version_does_not_have_is_refused(copy: Path, seal: Callable[..., None]) -> None:
    _describe(copy, name="phase_of_the_moon")
    seal(copy)
    with pytest.raises(BundleError, match="does not have: phase_of_the_moon"):
        load_bundle(copy)


def _describe(folder: Path, **change: Any) -> str:
    """Change the description of the ranker's first feature, and return its name."""
    described = json.loads((folder / "features.json").read_text())
    name: str = described[RANKER][0]["name"]
    described[RANKER][0] |= change
    (folder / "features.json").write_text(json.dumps(described))
    return name


@pytest.mark.parametrize("path", ["a\0b", "a" * 5000])
def test_what_is_no_path_is_one_error(path: str) -> None:
    with pytest.raises(BundleError, match="expected the path of an exported ranker, found 'a"):
        load_bundle(Path(path))


def test_function_that_was_not_written_for_rulerank_is_not_called(
    copy: Path, seal: Callable[..., None], tmp_path: Path
) -> None:
    _with_terms(copy, "/usr/bin/touch", str(tmp_path / "called"))
    _seal_with_analyser(copy, seal, "subprocess:call")
    with pytest.raises(BundleError, match=r"manifest\.json: .*'subprocess:call', which is not marked as one"):
        load_bundle(copy)
    assert not (tmp_path / "called").exists()


@analyser
def failing(texts: Sequence[str]) -> list[list[str]]:
    raise RuntimeError(f"cannot read {len(texts)} texts")


def test_analyser_that_fails_is_a_fault_of_the_bundle(copy: Path, seal: Callable[..., None]) -> None:
    _with_terms(copy, "log", "register")
    _seal_with_analyser(copy, seal, f"{__name__}:failing")
    with pytest.raises(BundleError, match=r"the analyser of the settings can read, .*cannot read 2 texts"):
        load_bundle(copy)


def _with_terms(folder: Path, *terms: str) -> None:
    """Let the first passage use these terms, and no other passage any."""
    edges = pl.read_ipc((folder / "edges.arrow").read_bytes())
    source = edges["source_id"][0]
    used = pl.DataFrame(
        [(source, f"term:{term}", "USES_TERM", "") for term in terms], schema=edges.schema, orient="row"
    )
    others = edges.filter(~pl.col("type").is_in(["DEFINES", "USES_TERM"]))
    EDGES.write_mapped(pl.concat([others, used]), folder / "edges.arrow")


def _seal_with_analyser(folder: Path, seal: Callable[..., None], target: str) -> None:
    settings = json.loads((folder / "manifest.json").read_text())["settings"]
    seal(folder, settings={**settings, "text": {"analyser": target}})
