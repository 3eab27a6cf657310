from __future__ import annotations

import math

import numpy as np
import pytest

from rulerank.ragged import Ragged, collected
from rulerank.retrieve.hits import Hits
from rulerank.retrieve.links import StructureAware, with_links


def links_of(size: int, *ends: tuple[int, int]) -> Ragged:
    sources, targets = (np.array([pair[side] for pair in ends], np.int64) for side in (0, 1))
    return collected(sources, targets, size)


def hits_of(*lists: list[tuple[int, float]]) -> Hits:
    rows = np.repeat(np.arange(len(lists)), [len(each) for each in lists])
    pairs = [pair for each in lists for pair in each]
    return Hits(
        rows, np.array([column for column, _ in pairs], np.int64), np.array([score for _, score in pairs])
    )


def listed(hits: Hits, question: int = 0) -> list[int]:
    return hits.columns[hits.rows == question].tolist()


def test_links_stand_after_the_hit_that_has_them_and_once() -> None:
    links = links_of(8, (3, 5), (3, 1), (1, 3), (1, 6))
    hits = hits_of([(3, 0.9), (1, 0.5), (2, 0.4)], [(1, 0.7)])

    found = with_links(hits, links, depth=10)

    assert listed(found) == [3, 1, 5, 6, 2]
    assert listed(found, 1) == [1, 3, 6]
    assert found.ranks.tolist() == [1, 2, 3, 4, 5, 1, 2, 3]
    assert found.scores[:3].tolist() == pytest.approx([1, 1 / 2, 1 / 3])


def test_links_are_cut_at_the_depth() -> None:
    found = with_links(hits_of([(3, 0.9), (1, 0.5)]), links_of(8, (3, 5), (3, 6)), depth=3)

    assert listed(found) == [3, 5, 6]


def test_without_links_a_run_stays_as_it_is() -> None:
    hits = hits_of([(3, 0.9), (1, 0.5)], [], [(2, 0.1)])

    assert listed(with_links(hits, links_of(8), 5)) == [3, 1]
    assert listed(with_links(hits, links_of(8), 5), 2) == [2]
    assert listed(StructureAware()(hits, links_of(8))) == [3, 1]


def test_votes_raise_a_linked_hit_as_computed_by_hand() -> None:
    # 0 links to 3 and 4, 1 links to 3: two links lead to 3.
    links = links_of(6, (0, 3), (0, 4), (1, 3))
    hits = hits_of([(0, 0.8), (1, 0.7), (2, 0.5), (3, 0.45)])

    found = StructureAware(voters=2, frozen=2, pool=4, beta=0.3)(hits, links)

    bonus = 0.8 / (math.log(3) * math.log(3)) + 0.7 / (1 * math.log(3))
    assert listed(found) == [0, 1, 3, 2]
    assert found.scores[2] == pytest.approx(0.45 + 0.3 * bonus * 0.55, abs=1e-6)


def test_frozen_hits_keep_their_places_and_the_pool_is_closed() -> None:
    links = links_of(6, (0, 2), (0, 5), (1, 2))
    hits = hits_of([(0, 0.9), (1, 0.8), (2, 0.7), (3, 0.1)])

    found = StructureAware(voters=2, frozen=3, pool=3, beta=5)(hits, links)

    assert listed(found) == [0, 1, 2]


def test_a_score_below_zero_votes_for_nothing() -> None:
    found = StructureAware(voters=2, frozen=0)(hits_of([(0, -0.2), (1, -0.3)]), links_of(3, (0, 1)))

    assert listed(found) == [0, 1]
    assert found.scores.tolist() == [0, 0]
