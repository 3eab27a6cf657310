from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from rulerank.answer.linear import Linear
from rulerank.answer.selection import Ranked, Selection, signals_of
from rulerank.learn.selection import ScoredList, fit_selection

NAMES = ("dense_score", "other")


def _lists(count: int, seed: int = 3) -> list[ScoredList]:
    """Return lists of 12 whose 2 relevant passages are near the top, and have a high value of `other`."""
    rng = np.random.default_rng(seed)
    lists = []
    for number in range(count):
        relevant = np.arange(12) < 2
        log_odds = np.sort(np.where(relevant, 1.5, -2.5) + rng.normal(0, 0.7, 12))[::-1]
        features = {
            "dense_score": np.where(relevant, 0.8, 0.3) + rng.normal(0, 0.05, 12),
            "other": np.where(rng.random(12) < 0.2, np.nan, relevant + rng.normal(0, 0.3, 12)),
        }
        ranked = Ranked(log_odds, np.zeros((12, 12), np.float32), features)
        lists.append(ScoredList(number % 4, ranked, relevant, 2))
    return lists


def _emptied(count: int, seed: int = 3) -> list[ScoredList]:
    """Return such lists without their relevant passages."""
    lists = []
    for each in _lists(count, seed):
        left = np.flatnonzero(~each.relevant)
        features = {name: values[left] for name, values in each.ranked.features.items()}
        ranked = Ranked(each.ranked.log_odds[left], np.zeros((10, 10), np.float32), features)
        lists.append(ScoredList(each.fold, ranked, np.zeros(10, bool), 2))
    return lists


@pytest.fixture(scope="module")
def fitted() -> tuple[Selection, dict]:
    found = fit_selection(_lists(160), _emptied(80), NAMES, 0.1)
    assert found is not None
    return found


def test_a_list_is_described_by_its_leaders_alone() -> None:
    known = [np.nan, 0.5, 0.25, *[np.nan] * 7, 9.0]
    ranked = Ranked(
        np.array([2.0, 1.0, 0.0, *[-1.0] * 8]),
        np.zeros((11, 11), np.float32),
        {"some": np.array(known), "none": np.array([*[np.nan] * 10, 9.0])},
    )
    (described,) = ranked.as_whole(["some", "none"])
    said = dict(zip(signals_of(["some", "none"]), described, strict=True))
    expected = sum(1 / (1 + np.exp(-each)) for each in (2.0, 1.0, 0.0, *[-1.0] * 7))
    assert (said["log_odds 1"], said["log_odds 3"], said["log_odds 10"]) == (2, 0, -1)
    assert said["expected"] == pytest.approx(np.log(expected))
    assert (said["mean some"], said["most some"]) == (0.375, 0.5)
    assert np.isnan([said["mean none"], said["most none"]]).all()


def test_kept_are_the_relevant_ones_of_lists_that_were_not_seen(fitted) -> None:
    selection, _ = fitted
    for listed in _lists(20, seed=8):
        kept = selection.kept(selection.probabilities(listed.ranked))
        assert kept[:2].all()
        assert kept.sum() <= 3


def test_probability_is_near_the_share_of_relevant_passages(fitted) -> None:
    selection, _ = fitted
    stated = np.concatenate([selection.probabilities(each.ranked) for each in _lists(50, seed=9)])
    assert stated.mean() == pytest.approx(2 / 12, abs=0.03)


def test_list_without_its_relevant_passages_is_declined(fitted) -> None:
    selection, figures = fitted
    answered = [selection.answers(each.ranked) >= selection.least for each in _lists(50, seed=9)]
    declined = [selection.answers(each.ranked) < selection.least for each in _emptied(50, seed=9)]
    assert np.mean(answered) > 0.8
    assert np.mean(declined) > 0.9
    assert figures["declined_without_their_passages"] > 0.9


def test_rounding_is_not_learned_from() -> None:
    """A value that differs by its rounding alone says nothing, even if it separates the lists."""

    def rounded(lists: list[ScoredList], value: float) -> list[ScoredList]:
        return [
            replace(each, ranked=replace(each.ranked, features={"one": np.full(len(each.relevant), value)}))
            for each in lists
        ]

    up, down = 1 + 2**-23, 1 - 2**-24
    found = fit_selection(rounded(_lists(160), up), rounded(_emptied(80), down), ("one",), 0.1)
    assert found is not None
    (one,) = rounded(_lists(1, seed=9), up)
    (other,) = rounded(_lists(1, seed=9), down)
    assert found[0].answers(one.ranked) == pytest.approx(found[0].answers(other.ranked), abs=1e-4)


def test_share_declined_is_of_all_answerable_questions() -> None:
    """Those whose answers are too far down to be examples count, too."""

    def mixed(count: int, seed: int) -> list[ScoredList]:
        hopeless = [replace(each, relevant=np.roll(each.relevant, 5)) for each in _lists(count, seed)]
        for each in hopeless:
            each.ranked.features["other"][:] = 0
        return [*_lists(count, seed), *hopeless]

    found = fit_selection(mixed(160, 3), _emptied(80), NAMES, 0.25)
    assert found is not None
    selection, _ = found
    declined = [selection.answers(each.ranked) < selection.least for each in mixed(200, 9)]
    assert np.mean(declined) == pytest.approx(0.25, abs=0.05)


def test_selection_is_read_back_as_it_was_written(fitted) -> None:
    selection, _ = fitted
    assert Selection.read(json.loads(json.dumps(selection.as_json())), NAMES) == selection


def test_question_that_is_far_from_its_list_is_declined(fitted) -> None:
    (listed,) = _lists(1, seed=9)
    border = Linear(("most dense_score", "mean other"), (2.0, 1.0), -1.0, (0.0, 0.5))
    selection = replace(fitted[0], near=border)

    def answered(dense: float, other: float) -> float:
        """Return the probability for leaders of which the best is at `dense` and the mean at `other`."""
        features = {
            "dense_score": np.array([np.nan, dense, *[-1.0] * 8, 9.0, 9.0]),
            "other": np.full(12, other),
        }
        return selection.answers(replace(listed.ranked, features=features))

    assert answered(0.3, 0.5) > 0
    assert answered(0.3, 0.3) == 0
    assert answered(0.2, 0.7) > 0
    # A missing value counts as the usual one.
    assert answered(0.26, np.nan) > 0
    assert answered(0.24, np.nan) == 0


@pytest.mark.parametrize(("wrong", "few"), [(0.1, 2), (0.005, 1)])
def test_share_of_the_training_questions_that_is_far_adds_up_several_signals(wrong: float, few: int) -> None:
    """Of 200 answered questions, those whose deviations add up to the least are far from their lists."""
    rng = np.random.default_rng(5)
    meaning, words = rng.normal(0.6, 0.1, 200), rng.normal(20, 5, 200)
    names = ("pretrained_score", "bm25_context_score")

    def described(listed: ScoredList, cosine: float, score: float) -> ScoredList:
        values = (np.full(len(listed.relevant), each) for each in (cosine, score))
        return replace(listed, ranked=replace(listed.ranked, features=dict(zip(names, values, strict=True))))

    lists = [described(*each) for each in zip(_lists(200), meaning, words, strict=True)]
    found = fit_selection(lists, [described(each, 0.5, 10.0) for each in _emptied(80)], names, wrong)
    assert found is not None
    far = [found[0].answers(each.ranked) == 0 for each in lists]
    assert found[0].least > 0
    total = (meaning - meaning.mean()) / meaning.std() + (words - words.mean()) / words.std()
    assert np.flatnonzero(far).tolist() == sorted(np.argsort(total)[:few].tolist())


def test_ranker_without_those_signals_finds_every_question_near(fitted) -> None:
    assert fitted[0].near == Linear((), (), 0.0, ())


@pytest.mark.parametrize(
    "change",
    [
        {"near": 0.4},
        {"near": {"names": ["most other"], "weights": [float("inf")], "intercept": 0.0, "usual": [0.0]}},
        {"near": {"names": ["most third"], "weights": [1.0], "intercept": 0.0, "usual": [0.0]}},
        {"beta": 0},
        {"least": 2},
        {"member": {}},
        {"beta": float("nan")},
        {"answerable": None},
    ],
)
def test_other_selections_are_refused(fitted, change) -> None:
    said = fitted[0].as_json() | change
    with pytest.raises((ValueError, KeyError, TypeError)):
        Selection.read(said, NAMES)


def test_selection_by_features_that_the_ranker_lacks_is_refused(fitted) -> None:
    with pytest.raises(ValueError, match="other"):
        Selection.read(fitted[0].as_json(), ["dense_score"])


def test_nothing_is_learned_from_lists_without_a_relevant_passage() -> None:
    lists = [ScoredList(each.fold, each.ranked, np.zeros(12, bool), 2) for each in _lists(8)]
    assert fit_selection(lists, _emptied(8), NAMES, 0.1) is None
    assert fit_selection([], [], NAMES, 0.1) is None
    assert fit_selection(_lists(8), [], NAMES, 0.1) is None


def _of_one(count: int) -> list[ScoredList]:
    """Return lists of which only the first passage was judged relevant."""
    one = np.arange(12) < 1
    return [replace(each, relevant=one, sought=1) for each in _lists(count, seed=5)]


@pytest.mark.parametrize(("single", "learned_from"), [(0, 160), (160, 320), (161, 160)])
def test_questions_with_one_relevant_passage_are_left_out_where_most_are_so(
    single: int, learned_from: int
) -> None:
    """In such a set nobody judged the other passages, and only the rest says how many there are."""
    found = fit_selection([*_lists(160), *_of_one(single)], _emptied(80), NAMES, 0.1)
    assert found is not None
    assert found[1]["questions"] == learned_from


def test_how_many_are_kept_follows_the_questions_learned_from() -> None:
    def second(single: int) -> float:
        found = fit_selection([*_lists(160), *_of_one(single)], _emptied(80), NAMES, 0.1)
        assert found is not None
        return float(np.mean([found[0].probabilities(each.ranked)[1] for each in _lists(50, seed=9)]))

    assert second(160) < second(161) - 0.1
    assert second(161) == second(0)
