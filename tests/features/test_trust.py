from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.trust import believed, share_of, shares_seen
from rulerank.features.withheld import as_new, of_clusters, unseen


def test_judgements_are_believed_where_a_question_has_enough_of_every_share() -> None:
    shares = np.array([[0.5, 0.5], [0.5, 0.75], [0.25, 1], [1, np.nan]], np.float32)
    assert believed(shares, {"leaders_judged": 0.5, "leaders_covered": 0.75}).tolist() == [
        *(False, True, False, False)
    ]
    assert believed(shares, {"leaders_judged": 0.5}).tolist() == [True, True, False, True]
    assert believed(shares, {}).all()


def test_share_is_weighed_by_probability() -> None:
    probability = np.array([[0.6, 0.3, 0.1], [0.5, 0, 0], [0, 0, 0]], np.float32)
    meant = np.array([[True, False, True], [False, False, False], [True, True, True]])
    assert share_of(probability, meant) == pytest.approx([0.7, 0, 0])


def test_shares_seen_of_a_question_are_what_its_features_say(world) -> None:
    listing = world.pairs(["fees"])
    leaders, probability = listing.leader_columns, listing.leader_probability
    found = shares_seen(world.index.judgements, leaders, probability, unseen(["fees"]))
    names = "leaders_judged", "leaders_covered"
    assert found[0] == pytest.approx([world.values(name, "fees")["act:2"] for name in names])


def _shares(world, withheld) -> np.ndarray:
    listing = world.pairs(["fees"])
    return shares_seen(world.index.judgements, listing.leader_columns, listing.leader_probability, withheld)[
        0
    ]


def _share_of(world, *passages: str) -> float:
    listing, ids = world.pairs(["fees"]), world.index.passage_ids.to_list()
    meant = np.isin(listing.leader_columns, [ids.index(each) for each in passages])
    return float(share_of(listing.leader_probability, meant)[0])


def test_question_as_if_new_sees_no_question_that_shares_a_passage(world) -> None:
    # As if the answers to t3 (act:2, act:2.1 and act:2.2) were new: no other question judged them.
    nobody = np.array([-1])
    before, after = (_shares(world, each) for each in (of_clusters(nobody), as_new(nobody, np.array([2]))))
    others = ["act:1.1", "act:1.2", "code:1.1", "code:2", "code:2.1"]
    assert after[0] == pytest.approx(_share_of(world, *others))
    assert after[0] < before[0]
    assert after[1] == before[1], "the act is still a document that others asked about"
