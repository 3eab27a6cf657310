"""The surroundings of candidates, compared with a search passage by passage."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import NO_CELLS, IntArray
from rulerank.features.around import Around
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.hits import NOTHING

# Pairs of the harbour's 4 questions and 13 passages, including the heading act:1.
_PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 12)), unique=True, max_size=20).map(sorted)

runs = pytest.mark.parametrize("run", ["bm25", "dense"])


def _around(world, pairs: list[tuple[int, int]], absent: IntArray = NO_CELLS) -> Around:
    rows, columns = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    return Around(world.index, world.queries, rows, columns, absent)


@runs
@given(pairs=_PAIRS, others=_PAIRS)
def test_values_are_those_of_a_search_passage_by_passage(
    world, run: str, pairs: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    absent = sorted({*others} - {*pairs})
    generator, known = world.index.generators[run], world.index.around
    every = [(row, column) for row in range(4) for column in range(13)]
    scored = generator.score(world.queries, *(np.array(side) for side in zip(*every, strict=True)), {})
    score = dict(zip(every, scored.tolist(), strict=True))

    def best(row: int, columns: list[int]) -> float:
        there = [column for column in columns if column >= 0 and (row, column) not in absent]
        stated = [column for column in there if known.has_text[column]]
        return max((score[row, column] for column in stated), default=math.nan)

    def mean(row: int, column: int) -> float:
        near = [other for other in known.neighbours.of(column).tolist() if (row, other) not in absent]
        return sum(score[row, other] for other in near) / len(near) if near else math.nan

    found = _around(world, pairs, np.array([row * 13 + column for row, column in absent], np.int64))
    for values, expected in (
        (found.own(run), [score[pair] for pair in pairs]),
        (found.parent(run), [best(row, [int(known.parents[column])]) for row, column in pairs]),
        (found.adjacent_max(run), [best(row, known.adjacent[:, column].tolist()) for row, column in pairs]),
        (found.ancestor_max(run), [best(row, known.ancestors.of(column).tolist()) for row, column in pairs]),
        (found.neighbour_mean(run), [mean(*pair) for pair in pairs]),
    ):
        assert values.dtype == np.float32
        assert values.tolist() == pytest.approx(expected, abs=1e-6, nan_ok=True)


def _asked_of(world, run: str) -> tuple[list[list[tuple[int, int]]], Around]:
    """Return the surroundings of three pairs of a question, and what a generator is asked to score there."""
    scored = []

    class Counted(type(world.index.generators[run])):  # type: ignore[misc]
        def score(self, queries, rows, columns, found=NOTHING):
            scored.append(list(zip(rows.tolist(), columns.tolist(), strict=True)))
            return super().score(queries, rows, columns, found)

    generator = world.index.generators[run]
    counted = Counted(**{field.name: getattr(generator, field.name) for field in fields(generator)})
    world = world.with_index(generators={**world.index.generators, run: counted})
    return scored, _around(world, [(1, 3), (1, 4), (1, 5)])


def test_each_passage_of_a_question_is_scored_once(world) -> None:
    scored, around = _asked_of(world, "dense")
    # act:2.1 and act:2.2 are next to each other, and act:2 is above them. Besides these pairs there are
    # act:1.2, before act:2, and code:2.1, which act:2.2 is cited with. Nothing is scored for other questions.
    for of in (around.own, around.parent, around.adjacent_max, around.ancestor_max, around.neighbour_mean):
        of("dense")
    assert scored == [[(1, 3), (1, 4), (1, 5)], [(1, 2), (1, 10)]]


def test_surroundings_are_not_scored_for_the_pairs_alone(world) -> None:
    scored, around = _asked_of(world, "dense")
    around.own("dense")
    assert scored == [[(1, 3), (1, 4), (1, 5)]]


def test_words_of_the_pairs_are_compared_once_for_scores_and_features(world) -> None:
    compared = []

    class Counted(Bm25):
        def matches(self, queries, rows, columns):
            compared.append(list(zip(rows.tolist(), columns.tolist(), strict=True)))
            return super().matches(queries, rows, columns)

    bm25 = Counted(**{field.name: getattr(world.index.bm25, field.name) for field in fields(Bm25)})
    counted = world.with_index(generators={**world.index.generators, "bm25": bm25})
    around = _around(counted, [(1, 3), (1, 4), (1, 5)])
    own, parents = around.own("bm25"), around.parent("bm25")
    assert compared == [[(1, 3), (1, 4), (1, 5)]]
    assert around.matches.size == len(own) == len(parents) == 3


def test_unknown_run_is_no_score(world) -> None:
    with pytest.raises(KeyError, match="nonsense"):
        _around(world, [(1, 3)]).own("nonsense")


@given(pairs=_PAIRS)
def test_pretrained_scores_are_cosines_and_their_means_over_graph_neighbours(
    world, pairs: list[tuple[int, int]]
) -> None:
    dense, neighbours = world.index.dense, world.index.around.neighbours
    vectors = dense.pretrained.numbers()
    asked = dense.of_encoder(world.queries.embeddings)
    expected = [
        np.mean([asked[row] @ vectors[dense.place[other]] for other in neighbours.of(column)])
        if len(neighbours.of(column))
        else math.nan
        for row, column in pairs
    ]
    around = _around(world, pairs)
    found = around.pretrained_mean()
    assert found.tolist() == pytest.approx(expected, abs=1e-6, nan_ok=True)
    cosines = dense.cosines(asked, dense.pretrained, around.rows, around.columns)
    assert around.pretrained().tolist() == pytest.approx(cosines.tolist(), abs=1e-6, nan_ok=True)
