from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rulerank.errors import InputError
from rulerank.evaluate.repass import Parts, mean_of, parts_of, repass
from rulerank.obligations.classifier import ObligationClassifier, save_classifier

# By premise and hypothesis: the probabilities of contradiction and entailment.
CHANCES = {
    ("A must rest.", "A has to rest."): (0.1, 0.9),
    ("B must ring.", "A has to rest."): (0.3, 0.2),
    ("C may go.", "A has to rest."): (0.2, 0.1),
    ("A must rest.", "C goes."): (0.0, 0.05),
    ("B must ring.", "C goes."): (0.6, 0.15),
    ("C may go.", "C goes."): (0.4, 0.5),
}


def _split(text: str) -> list[str]:
    return [f"{part.strip()}." for part in text.split(".") if part.strip()]


def _infer(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    return np.array([CHANCES[pair] for pair in pairs], np.float32)


def _obliges(sentences: Sequence[str]) -> np.ndarray:
    return np.array(["must" in sentence or "has to" in sentence for sentence in sentences])


def _covers(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    return np.array([pair == ("A has to rest.", "A must rest.") for pair in pairs])


PARTS = Parts(_split, _infer, _obliges, _covers)
PASSAGES = ["A must rest. B must ring.", "C may go."]


def test_the_formula_on_an_example_worked_by_hand() -> None:
    # Entailment: the best of .9 .2 .1 and of .05 .15 .5, so (.9 + .5) / 2; contradiction: (.3 + .6) / 2.
    # One of the two obligations of the passages is covered.
    score = repass(PASSAGES, "A has to rest. C goes.", PARTS)
    assert score == (0.7, 0.45, 0.5, round((0.5 + 0.7 - 0.45 + 1) / 3, 5))


def test_no_obligation_on_either_side_covers_nothing() -> None:
    assert repass(["C may go."], "C goes.", PARTS) == (0.5, 0.4, 0.0, round((0.5 - 0.4 + 1) / 3, 5))
    assert repass(PASSAGES, "C goes.", PARTS)[2] == 0.0
    assert repass([], "C goes.", PARTS) == (0.0, 0.0, 0.0, 0.33333)


def test_the_published_mean_leaves_unanswered_questions_out_and_the_second_counts_them_as_0() -> None:
    scores = [repass(PASSAGES, answer, PARTS) for answer in ("A has to rest. C goes.", " ", "C goes.")]
    assert scores[1] is None
    mean = mean_of(scores)
    assert (mean.answered, mean.questions) == (2, 3)
    assert mean.of_answered.score == pytest.approx((scores[0].score + scores[2].score) / 2)
    assert mean.score_of_all == pytest.approx((scores[0].score + scores[2].score) / 3)


def test_no_answer_at_all_has_no_published_mean() -> None:
    mean = mean_of([None])
    assert math.isnan(mean.of_answered.score)
    assert mean.score_of_all == 0


def test_models_are_loaded_from_folders_and_read_long_texts(tmp_path: Path, tiny_classifier) -> None:
    nli = tiny_classifier(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    two = tiny_classifier(tmp_path / "two", ("other", "obligation"))
    parts = parts_of(two, nli, nli, split=_split, device="cpu")
    chances = parts.infer([("A must rest.", "A rests."), ("word " * 500, "A rests.")] * 10)
    assert chances.shape == (20, 2)
    assert ((chances > 0) & (chances < 1)).all()
    np.testing.assert_allclose(chances[:2], chances[2:4], rtol=1e-5)
    score = repass(PASSAGES, "A has to rest.", parts)
    assert score is not None
    assert 0 <= score.score <= 1


def test_a_model_of_other_classes_is_an_error(tmp_path: Path, tiny_classifier) -> None:
    two = tiny_classifier(tmp_path / "two", ("other", "obligation"))
    with pytest.raises(InputError, match="expected three classes, found 2"):
        parts_of(two, two, two, split=_split, device="cpu")
    with pytest.raises(InputError, match="expected a classifier, by hub name or folder"):
        parts_of(two, str(tmp_path), two, split=_split, device="cpu")


def test_classes_are_told_by_their_names_whatever_their_order(tmp_path: Path, tiny_classifier) -> None:
    usual, other = ("contradiction", "entailment", "neutral"), ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
    two = tiny_classifier(tmp_path / "two", ("other", "entailment"))
    nli = tiny_classifier(tmp_path / "nli", usual)
    config = tmp_path / "nli/config.json"
    pairs = [("A must rest.", "A rests."), ("B must ring.", "A rests.")]
    before = parts_of(two, nli, two, split=_split, device="cpu").infer(pairs)
    raw = json.loads(config.read_text())
    config.write_text(json.dumps({**raw, "id2label": dict(enumerate(other))}))
    parts = parts_of(two, nli, two, split=_split, device="cpu")
    # The outputs are as they were: first the entailment, third the contradiction.
    np.testing.assert_allclose(parts.infer(pairs)[:, 1], before[:, 0])
    np.testing.assert_allclose(parts.infer(pairs)[:, 0], 1 - before.sum(axis=1), rtol=1e-5)


def test_a_model_whose_classes_have_no_names_is_refused(tmp_path: Path, tiny_classifier) -> None:
    nameless = tiny_classifier(tmp_path / "nameless", ("LABEL_0", "LABEL_1", "LABEL_2"))
    nli = tiny_classifier(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    two = tiny_classifier(tmp_path / "two", ("other", "not_entailment"))
    with pytest.raises(InputError, match="expected a class contradiction, found label_0, label_1, label_2"):
        parts_of(two, nameless, nli, split=_split, device="cpu")
    with pytest.raises(InputError, match="expected a class entailment, found other, not_entailment"):
        parts_of(two, nli, two, split=_split, device="cpu")


def test_the_project_classifier_may_tell_obligations(tmp_path: Path, tiny_classifier) -> None:
    nli = tiny_classifier(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    sentences = ["A must rest.", "A may rest.", "A knocks."]
    save_classifier(None, tmp_path / "own")
    assert parts_of(str(tmp_path / "own"), nli, nli, _split, "cpu").obliges(sentences).tolist() == [1, 0, 0]
    knocks = ObligationClassifier({"knocks": 0}, np.ones(1), np.ones(1), -0.5)
    save_classifier(knocks, tmp_path / "own")
    assert parts_of(str(tmp_path / "own"), nli, nli, _split, "cpu").obliges(sentences).tolist() == [0, 0, 1]
