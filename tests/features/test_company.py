from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rulerank.arrays import BoolArray
from rulerank.features.company import DEPTH, FAR, GIVEN, Company, ScoredCandidates, columns_of, company
from tests.features.world import OFF, World

COLUMNS = {name: place for place, name in enumerate(columns_of(["d_len"]))}


def _lists(world: World, columns: list[int], starts: list[int], scores: list[float]) -> ScoredCandidates:
    passages = np.array(columns, np.int64)
    lengths = (10.0 + passages[:, None]).astype(np.float32)
    return ScoredCandidates(world.index, passages, np.array(starts), np.array(scores), lengths)


def _met(lists: ScoredCandidates, leaders: list[int]) -> Company:
    leading: BoolArray = np.zeros(len(lists.columns), np.bool_)
    leading[leaders] = True
    return company(lists, leading)


def test_a_couple_is_seen_from_both_sides(world: World) -> None:
    # act:1.1, act:1.2 and act:2.1 belong to one question, code:1.1 and note:1 to another.
    lists = _lists(world, [1, 2, 4, 7, 12], [0, 3, 5], [2.0, 5.0, 3.0, 1.0, 4.0])
    met = _met(lists, [1, 3])
    assert list(zip(met.leaders.tolist(), met.others.tolist(), strict=True)) == [(1, 2), (1, 0), (3, 4)]
    assert met.matrix.shape == (3, len(COLUMNS))
    rows = [dict(zip(COLUMNS, row.tolist(), strict=True)) for row in met.matrix]
    assert [row["places_on"] for row in rows[:2]] == [2, -1]
    assert np.isnan(rows[2]["places_on"])
    assert [row["same_document"] for row in rows] == [1, 1, 0]
    assert [row["same_section"] for row in rows] == [0, 1, 0]
    assert [(row["leader_score"], row["other_score"]) for row in rows] == [(5, 3), (5, 2), (1, 4)]
    assert [(row["leader_rank"], row["other_rank"]) for row in rows] == [(1, 2), (1, 3), (2, 1)]
    assert [(row["leader_d_len"], row["other_d_len"]) for row in rows] == [(12, 14), (12, 11), (17, 22)]
    # act:1.2 is (4, 3, 0, 0) / 5, act:2.1 (0, 3, 4, 0) / 5, act:1.1 (3, 4, 0, 0) / 5.
    assert [row["likeness_in_meaning"] for row in rows[:2]] == pytest.approx([9 / 25, 24 / 25], abs=OFF)
    assert rows[2]["likeness_in_meaning"] == pytest.approx(1)
    # "act:1.2" and "act:2.1" share no term.
    assert rows[0]["likeness_in_words"] == 0
    assert 0 < rows[1]["likeness_in_words"] < 1


def test_nobody_below_the_depth_is_met_and_the_first_lead(world: World) -> None:
    size = DEPTH + 5
    lists = _lists(world, [1] * size, [0, size], list(np.arange(size, 0, -1.0)))
    leading = lists.leading()
    assert np.flatnonzero(leading).tolist() == list(range(GIVEN))
    met = company(lists, leading)
    assert set(met.others.tolist()) == set(range(DEPTH))
    assert len(met.others) == GIVEN * (DEPTH - 1)
    assert len(_met(lists, [DEPTH]).others) == 0


def test_great_distances_are_one(world: World) -> None:
    place = world.index.around.static["place"].copy()
    place[2] = place[1] + 10 * FAR
    around = replace(world.index.around, static={**world.index.around.static, "place": place})
    lists = replace(_lists(world, [1, 2], [0, 2], [2.0, 1.0]), index=replace(world.index, around=around))
    assert _met(lists, [0]).matrix[0, COLUMNS["places_on"]] == FAR


def test_a_question_without_candidates_has_no_company(world: World) -> None:
    met = _met(_lists(world, [1, 2], [0, 0, 2, 2], [2.0, 1.0]), [0, 1])
    assert len(met.others) == 2
    nothing = _met(_lists(world, [], [0], []), [])
    assert nothing.matrix.shape == (0, len(COLUMNS))
