from __future__ import annotations

import numpy as np
import pytest

from rulerank.features.trust import believed, share_judged, share_seen
from rulerank.features.withheld import as_new, of_clusters, unseen


def test_judgements_are_believed_from_the_least_share_on() -> None:
    shares = np.array([0.2, 0.5, 0.9, np.nan], np.float32)
    assert believed(shares, 0.5).tolist() == [False, True, True, False]


def test_share_judged_weighs_by_probability() -> None:
    probability = np.array([[0.6, 0.3, 0.1], [0.5, 0, 0], [0, 0, 0]], np.float32)
    judged = np.array([[True, False, True], [False, False, False], [True, True, True]])
    assert share_judged(probability, judged) == pytest.approx([0.7, 0, 0])


def test_share_seen_of_a_question_is_what_its_feature_says(world) -> None:
    listing = world.pairs(["fees"])
    leaders, probability = listing.leader_columns, listing.leader_probability
    found = share_seen(world.index.judgements, leaders, probability, unseen(["fees"]))
    assert found == pytest.approx([world.values("leaders_judged", "fees")["act:2"]])


def test_question_as_if_new_sees_no_question_that_shares_a_passage(world) -> None:
    # As if what answers t3, act:2, act:2.1 and act:2.2, were new: no other question judged these.
    listing, nobody = world.pairs(["fees"]), np.array([-1])
    leaders, probability = listing.leader_columns, listing.leader_probability
    known = world.index.judgements
    before = share_seen(known, leaders, probability, of_clusters(nobody))
    after = share_seen(known, leaders, probability, as_new(nobody, np.array([2])))
    others = ["act:1.1", "act:1.2", "code:1.1", "code:2", "code:2.1"]
    ids = world.index.passage_ids.to_list()
    judged = np.isin(leaders, [ids.index(each) for each in others])
    assert after == pytest.approx(share_judged(probability, judged))
    assert after[0] < before[0]
