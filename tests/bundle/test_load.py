from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulerank.features.extract import extract, unseen
from rulerank.features.registry import registered
from rulerank.ranker import Ranker

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
    from rulerank.learn.workspace import Workspace
    from rulerank.settings import load_settings

    monkeypatch.chdir(pipeline)
    built, stored = Workspace().ranking_index(load_settings()), ranker.bundle.index
    texts = [QUESTION, "What does a pilot need before the first passage?"]
    asked = ranker.bundle.queries(["a", "b"], texts)
    (before,), (after,) = (
        list(extract(index, asked, unseen(asked), registered().of_pass(1), ranker.bundle.candidates))
        for index in (built, stored)
    )
    for name, scores in before.retrieved.scores.items():
        np.testing.assert_array_equal(scores, after.retrieved.scores[name])
    np.testing.assert_array_equal(before.matrix, after.matrix)
