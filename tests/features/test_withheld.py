from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.withheld import (
    DOCUMENTS,
    NOTHING,
    PASSAGES,
    SECTIONS,
    Withheld,
    draw_withheld,
    nothing_withheld,
)

IDS = [f"q{number}" for number in range(3000)]
CLUSTERS = np.arange(len(IDS))


def test_something_is_hidden_from_the_chosen_questions_at_each_level_alike() -> None:
    as_new = CLUSTERS < 900
    levels = draw_withheld(CLUSTERS, IDS, as_new, seed=7).levels
    assert ((levels != NOTHING) == as_new).all()
    for level in (DOCUMENTS, SECTIONS, PASSAGES):
        assert (levels == level).mean() == pytest.approx(0.1, abs=0.02)


def test_draw_depends_on_id_and_seed_alone() -> None:
    every = np.ones(len(IDS), np.bool_)
    whole, alone = (
        draw_withheld(CLUSTERS, IDS, every, seed=7),
        draw_withheld(CLUSTERS[5:6], IDS[5:6], every[5:6], seed=7),
    )
    assert (whole.levels[5], whole.salts[5]) == (alone.levels[0], alone.salts[0])
    assert (draw_withheld(CLUSTERS, IDS, every, seed=8).salts != whole.salts).all()


@pytest.mark.parametrize("level", [DOCUMENTS, SECTIONS, PASSAGES])
def test_half_of_the_units_of_a_level_is_hidden_another_half_for_each_question(level: int) -> None:
    passages = np.arange(4000)
    units = [passages // 40, passages // 4, passages]
    withheld = Withheld(np.zeros(2, int), np.array([level, level]), np.array([1, 2**40 + 5], np.uint64))
    first, second = (withheld.hides(np.full(4000, row), units) for row in (0, 1))
    assert first.mean() == pytest.approx(0.5, abs=0.15)
    assert (first == second).mean() == pytest.approx(0.5, abs=0.15)
    whole = units[level - 1]
    assert all(len(set(first[whole == unit])) == 1 for unit in range(10))


def test_nothing_is_hidden_from_an_unseen_question() -> None:
    withheld = nothing_withheld(["a", "b"])
    assert len(withheld) == 2
    assert not withheld.hides(np.array([0, 1]), [np.array([3, 4])] * 3).any()
