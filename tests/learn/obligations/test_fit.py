from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rulerank.learn.obligations.fit import ClassifierSettings, exported, fit, split, train
from rulerank.learn.obligations.labelled import Labelled, read_labelled
from rulerank.learn.obligations.measure import cross_validate
from rulerank.obligations.terms import terms

SCRIPT = str(Path(__file__).parents[3] / "experiments/obligations.py")
WHO = ("The pilot", "A bank", "Every insurer", "The lessor", "A fund", "The mate")
DEEDS = ("keep a log", "call the port", "sign the form", "hold cash", "post a notice", "lock the door")
STATED = {"must": True, "shall": True, "is bound by oath to": True, "may": False, "hopes to": False}
RECORDS = [
    {"Text": f"{who} {verb} {deed}.", "Obligation": duty}
    for who, deed, (verb, duty) in product(WHO, DEEDS, STATED.items())
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labelled") / "labelled.json"
    path.write_text(json.dumps(RECORDS))
    return path


@pytest.fixture(scope="module")
def labelled(path: Path) -> Labelled:
    return read_labelled(path)


@pytest.mark.parametrize("choice", [ClassifierSettings(10.0, 1), ClassifierSettings(300.0, 2)])
def test_exported_classifier_scores_as_scikit_learn_does(
    labelled: Labelled, choice: ClassifierSettings
) -> None:
    model = train([terms(sentence) for sentence in labelled.sentences], labelled.obligations, choice)
    unseen = ["The pilot must must rest.", "", "Nothing known here", *labelled.sentences[:40]]
    theirs = model.predict_proba([terms(sentence) for sentence in unseen])[:, 1]
    assert exported(model).probabilities(unseen) == pytest.approx(theirs, abs=1e-6)


def test_same_sentences_give_the_same_classifier(labelled: Labelled) -> None:
    first, choice = fit(labelled.sentences, labelled.obligations, seed=7)
    second, again = fit(labelled.sentences, labelled.obligations, seed=7)
    assert choice == again
    assert first.weights.tobytes() == second.weights.tobytes()


def test_every_sentence_is_measured_once_and_never_by_what_learned_it(labelled: Labelled) -> None:
    folds = list(split(labelled.obligations, 5, seed=7))
    assert sorted(place for _, measured in folds for place in measured) == list(range(len(RECORDS)))
    assert all(set(learned).isdisjoint(measured) for learned, measured in folds)


def test_leak_labels_of_the_measured_fold_change_nothing_that_measures_it(
    labelled: Labelled, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, ...]] = []

    def recording(sentences: list[str], obligations: np.ndarray, seed: int) -> object:
        seen.append(tuple(sentences))
        return fit(sentences, obligations, seed)

    monkeypatch.setattr("rulerank.learn.obligations.measure.fit", recording)
    cross_validate(labelled, seed=7)
    measured = [set(labelled.sentences) - set(sentences) for sentences in seen]
    assert len(measured) == 5
    assert set.union(*measured) == set(labelled.sentences)


def test_classifier_learns_what_keywords_and_rules_do_not_know(labelled: Labelled) -> None:
    measured = cross_validate(labelled, seed=7)
    assert measured["classifier"].accuracy.mean == 1
    assert measured["keywords"].accuracy.mean == pytest.approx(0.8, abs=0.01)
    # Keywords find two of three duties and nothing else: F1 = 2 (1) (2/3) / (1 + 2/3).
    assert measured["keywords"].f1.mean == pytest.approx(0.8, abs=0.02)


def test_script_prints_and_writes_the_table(path: Path, tmp_path: Path, script: Callable[..., Any]) -> None:
    (tmp_path / "params.yaml").write_text("seed: 7\n")
    done = script(tmp_path, SCRIPT, "--data", str(path))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "outputs/obligations.md").read_text()
    assert page.strip() == done.stdout.strip()
    assert re.search(r"\| classifier \| 1\.0000 ± 0\.0000 \| 1\.0000 ± 0\.0000 \|", page)


def test_script_names_the_file_that_is_not_there(tmp_path: Path, script: Callable[..., Any]) -> None:
    (tmp_path / "params.yaml").write_text("seed: 7\n")
    done = script(tmp_path, SCRIPT, "--data", "none.json")
    assert done.returncode == 1
    assert "none.json: expected a file, found none" in " ".join(done.stderr.split())
