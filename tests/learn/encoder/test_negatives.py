from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rulerank.arrays import normalise_rows
from rulerank.learn.encoder.negatives import SAME, SKIPPED, mine_negatives

ANGLES = np.arange(8) * 0.4
PASSAGES = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1).astype(np.float32)


def _relevant(rows: list[list[int]], width: int = 8) -> sparse.csr_array:
    dense = np.zeros((len(rows), width), np.float32)
    for row, columns in enumerate(rows):
        dense[row, columns] = 1
    return sparse.csr_array(dense)


def test_first_ranks_and_what_is_judged_are_left_out() -> None:
    ranked = np.array([[0, 1, 2, 3, 4]])
    drawn = mine_negatives(ranked, _relevant([[3]]), PASSAGES, 50, seed=1)
    assert drawn.shape == (1, 50)
    assert set(drawn[0].tolist()) == {2, 4}  # their cosine with passage 3 is cos 0.4 = 0.92


def test_what_says_the_same_as_a_judged_passage_is_left_out() -> None:
    passages = PASSAGES.copy()
    passages[4] = passages[3]
    drawn = mine_negatives(np.array([[0, 1, 2, 3, 4]]), _relevant([[3]]), passages, 50, seed=1)
    assert set(drawn[0].tolist()) == {2}


def test_question_without_a_candidate_left_has_none() -> None:
    drawn = mine_negatives(np.array([[0, 1, 2, 3], [0, 1, 5, 6]]), _relevant([[2, 3], [0]]), PASSAGES, 2, 1)
    assert drawn[0].tolist() == [-1, -1]
    assert sorted(drawn[1].tolist()) == [5, 6]


def test_draw_without_repeats_where_there_are_enough() -> None:
    drawn = mine_negatives(np.array([[0, 1, 4, 5, 6, 7]]), _relevant([[0]]), PASSAGES, 4, seed=3)
    assert sorted(drawn[0].tolist()) == [4, 5, 6, 7]


def test_draw_is_the_same_twice_and_obeys_its_seed() -> None:
    ranked, relevant = np.tile(np.arange(8), (20, 1)), _relevant([[0]] * 20)
    one, same, other = (mine_negatives(ranked, relevant, PASSAGES, 2, seed) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_no_ranks_or_no_negatives_asked_for_give_none() -> None:
    assert mine_negatives(np.empty((2, 0), np.int64), _relevant([[0], [1]]), PASSAGES, 0, 1).shape == (2, 0)
    assert (mine_negatives(np.empty((1, 0), np.int64), _relevant([[0]]), PASSAGES, 2, 1) == -1).all()


@given(st.integers(0, 1000), st.integers(1, 5), st.data())
def test_negative_is_never_judged_nor_the_same_as_a_judged_one(
    seed: int, count: int, data: st.DataObject
) -> None:
    generator = np.random.default_rng(seed)
    passages = normalise_rows(generator.normal(size=(12, 2)).astype(np.float32))
    judged = data.draw(st.lists(st.sets(st.integers(0, 11)).map(sorted), min_size=1, max_size=4))
    ranked = np.stack([generator.permutation(12)[:9] for _ in judged])
    drawn = mine_negatives(ranked, _relevant(judged, 12), passages, count, seed)
    for negatives, relevant, candidates in zip(drawn, judged, ranked, strict=True):
        likeness = passages @ passages[relevant].T
        allowed = {
            column
            for column in candidates[SKIPPED:].tolist()
            if column not in relevant and not (likeness[column] >= SAME).any()
        }
        assert set(negatives.tolist()) <= allowed if allowed else (negatives == -1).all()
