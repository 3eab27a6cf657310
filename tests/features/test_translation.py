"""Translation features of the harbour, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rulerank.ragged import Ragged
from rulerank.retrieve.translation_table import TranslationTable
from tests.features.world import World


def test_the_score_finds_a_passage_that_says_the_question_in_other_words(world: World) -> None:
    translation = world.index.translation
    assert translation is not None
    nothing = Ragged(np.zeros(1, np.int32), np.empty(0, np.int32), np.empty(0, np.float32))
    literal = replace(translation, table=TranslationTable({}, nothing, np.empty(0, np.float32), 0.2))
    # "Tugs pay no fee" says "zebra" as well as "fee"; "The master may suspend a licence" says half a pilot.
    for query, passage in (("fees", "act:2.2"), ("pilot", "act:1.2")):
        alone = world.with_index(translation=literal).values("translation_score", query)[passage]
        assert world.values("translation_score", query)[passage] > 2 * alone


def test_an_index_without_a_table_has_no_such_features(world: World) -> None:
    with pytest.raises(ValueError, match="leave out the group `translation`"):
        world.with_index(translation=None).values("translation_score", "fees")


def test_the_rank_and_the_gap_follow_the_score(world: World) -> None:
    score, rank, gap = (world.values(f"translation_{name}", "pilot") for name in ("score", "rank", "gap"))
    best = max(score, key=score.__getitem__)
    assert rank[best] == 1
    assert sorted(rank.values()) == list(range(1, len(rank) + 1))
    for passage, value in score.items():
        assert gap[passage] == pytest.approx(value - score[best], abs=1e-6)
    # "master" is half of "pilot", and "A pilot must hold a licence" says all of it.
    assert best == "act:1.1"
    assert score["act:1.2"] > score["code:2"] > 0


def test_a_question_without_terms_scores_nothing(world: World) -> None:
    assert set(world.values("translation_score", "empty").values()) == {0}
