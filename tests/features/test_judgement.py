from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest

from rulerank.features.evidence import SHARPNESS
from rulerank.features.judgement_index import build_judgement_index
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.sparse import as_matrix
from rulerank.tables import JUDGEMENTS


def _weights(world, query: str) -> dict[str, float]:
    """Return the softmax weights of a question's candidates."""
    fused = world.values("fused_score", query)
    total = sum(math.exp(SHARPNESS * value) for value in fused.values())
    return {passage: math.exp(SHARPNESS * value) / total for passage, value in fused.items()}


@pytest.fixture(scope="module")
def world(world):
    """The harbour without late interaction: only the dense score decides what is similar."""
    return world.without("late")


def test_relevance_prior_counts_training_questions(world) -> None:
    found = world.values("relevance_prior", "fees")
    assert {passage: count for passage, count in found.items() if count > 0} == {
        "act:1.1": 3,
        "act:1.2": 1,
        "act:2": 1,
        "act:2.1": 1,
        "act:2.2": 1,
        "code:1.1": 1,
        "code:2": 1,
        "code:2.1": 1,
    }


def test_relevance_prior_leaves_the_own_cluster_out(world) -> None:
    found = world.values("relevance_prior", "pilot")  # t1 and t2 are its near-duplicates
    assert [found[passage] for passage in ("act:1.1", "act:1.2", "code:2", "code:2.1")] == [1, 0, 0, 1]
    assert world.values("relevance_prior", "lights")["code:1.1"] == 0


def test_co_judgement_support_is_the_weight_of_what_is_judged_together(world) -> None:
    found = world.values("co_judgement_support", "fees")
    weight = _weights(world, "fees")
    assert found["act:2"] == pytest.approx(weight["act:2.1"] + weight["act:2.2"], rel=1e-4)
    assert found["act:2.1"] == pytest.approx(weight["act:2"] + weight["act:2.2"], rel=1e-4)
    # This is by the question without text.
    assert found["act:1.1"] == pytest.approx(weight["code:2.1"], abs=1e-6)
    assert found["code:1.1"] == 0  # judged alone


def test_co_judgement_two_hops_hands_the_rate_on(world) -> None:
    chained = world.judged(
        {
            "a": (1, (1, 0, 0, 0), "act:1.1 code:2.1"),
            "b": (2, (1, 0, 0, 0), "code:2.1 note:1"),
        }
    )
    rate, further = (chained.values(f"co_judgement_{what}", "pilot") for what in ("rate", "two_hops"))
    # act:1.1 - code:2.1 - note:1: in the second hop note:1 gets its value only through code:2.1.
    assert further["note:1"] == pytest.approx(rate["code:2.1"] / 2, rel=1e-4)
    assert further["act:1.1"] == pytest.approx(rate["code:2.1"] / 2, rel=1e-4)


def test_co_judgement_rate_shares_a_passage_out_over_its_questions(world) -> None:
    unseen = world.judged(
        {
            "a": (1, (1, 0, 0, 0), "act:1.1 code:2.1"),
            "b": (2, (1, 0, 0, 0), "act:1.1"),
            "c": (3, (1, 0, 0, 0), "act:1.1"),
        }
    )
    support, rate = (unseen.values(f"co_judgement_{what}", "pilot") for what in ("support", "rate"))
    assert support["code:2.1"] > 0
    assert rate["code:2.1"] == pytest.approx(support["code:2.1"] / 3)
    assert rate["act:1.1"] == pytest.approx(support["act:1.1"])


def test_set_completion_is_the_mean_probability_of_the_rest_of_a_judged_set(world) -> None:
    listing = world.pairs(["fees"])
    ids = world.index.passage_ids.gather(listing.columns).to_list()
    probability = dict(zip(ids, listing.probability.tolist(), strict=True))
    found = world.values("set_completion", "fees")
    assert found["act:2"] == pytest.approx((probability["act:2.1"] + probability["act:2.2"]) / 2)
    # t1, t2 and the question without text each judge it with one other passage.
    others = [probability[passage] for passage in ("act:1.2", "code:2", "code:2.1")]
    assert found["act:1.1"] == pytest.approx(max(others))
    assert math.isnan(found["code:1.1"])  # judged alone
    assert math.isnan(found["note:1"])


def test_set_completion_leaves_the_own_cluster_out(world) -> None:
    found = world.values("set_completion", "pilot")  # t1 and t2 are its near-duplicates
    assert not math.isnan(found["code:2.1"])
    assert math.isnan(found["act:1.2"])


def test_similar_question_max_is_the_nearest_question_of_the_passage(world) -> None:
    found = world.values("similar_question_max", "fees")
    assert found["act:2"] == pytest.approx(1)
    assert found["act:1.1"] == 0
    assert math.isnan(found["code:2.1"])  # relevant only to a question without text
    assert math.isnan(found["note:1"])


def test_similar_question_votes_are_a_softmax_of_the_similarities(world) -> None:
    found = world.values("similar_question_votes", "fees")
    total = 1 + 3 * math.exp(-20)
    assert found["act:2"] == pytest.approx(1 / total)
    assert found["act:1.1"] == pytest.approx(2 * math.exp(-20) / total)
    assert math.isnan(found["note:1"])  # nobody asked about its document


def test_similar_question_votes_rank_is_missing_without_votes(world) -> None:
    found = world.values("similar_question_votes_rank", "fees")
    assert [found[passage] for passage in ("act:2", "act:2.1", "act:2.2", "act:1.1")] == [1, 2, 3, 4]
    assert math.isnan(found["note:1"])


def test_judgement_index_takes_what_is_relevant_at_any_grade_to_a_training_question() -> None:
    judgements = pl.DataFrame(
        [("s", "a", 0), ("s", "b", 1), ("t", "b", 2), ("t", "c", 1), ("validation", "a", 1)],
        schema=dict(JUDGEMENTS.columns),
        orient="row",
    )
    nobody = np.empty(0, np.int64), QuantizedVectors.of(np.empty((0, 4), np.float32))
    one_place = np.zeros((2, 3), np.int64)
    index = build_judgement_index(
        judgements, pl.Series(["a", "b", "c"]), ["t", "s"], np.array([0, 1]), *nobody, *one_place
    )
    assert as_matrix(index.sets, 3).toarray().tolist() == [[0, 1, 1], [0, 1, 0]]
    assert as_matrix(index.judged, 2).toarray().tolist() == [[0, 0], [1, 1], [1, 0]]


def test_no_judgements_say_nothing(world) -> None:
    nothing = world.judged({})
    for feature in (
        "relevance_prior",
        "co_judgement_support",
        "co_judgement_rate",
        "similar_question_votes",
        "similar_question_max",
        "similar_question_votes_rank",
    ):
        assert all(math.isnan(value) for value in nothing.values(feature, "fees").values())
    for feature in ("document_judged", "section_judged"):
        assert not any(nothing.values(feature, "fees").values())


def test_document_and_section_judged_are_shares_of_their_passages(world) -> None:
    one = world.judged({"t": (1, None, "act:2.1")})
    document, section = (one.values(f"{family}_judged", "fees") for family in ("document", "section"))
    act = [passage for passage in world.index.passage_ids if passage.startswith("act:")]
    assert {passage for passage, share in document.items() if share} == set(document) & set(act)
    assert document["act:1.1"] == pytest.approx(1 / len(act))
    assert section["act:2.1"] == section["act:2.2"] == pytest.approx(1 / 2)
    assert section["act:1.1"] == 0


def test_evidence_is_missing_where_nobody_asked_about_the_document_alone(world) -> None:
    one = world.judged({"t": (1, (1, 0, 0, 0), "act:2.1")})
    prior = one.values("relevance_prior", "fees")
    assert all(count == (passage == "act:2.1") for passage, count in prior.items() if passage[:4] == "act:")
    assert all(math.isnan(count) for passage, count in prior.items() if passage[:4] != "act:")


def test_question_familiarity_is_the_nearest_training_question_whatever_it_asked_for(world) -> None:
    one = world.judged({"t": (1, (4, 3, 0, 0), "act:2.1"), "u": (2, (0, 0, 0, 1), "act:1.1")})
    found = set(one.values("question_familiarity", "pilot").values())
    nearest = one.values("similar_question_max", "pilot")
    assert found == {max(nearest["act:2.1"], nearest["act:1.1"])}


def test_leaders_judged_is_the_share_of_the_leaders_that_were_judged(world) -> None:
    listing = world.pairs(["fees"])
    leaders = world.index.passage_ids.gather(listing.leader_columns[0][listing.leaders[0] >= 0]).to_list()
    weights = listing.leader_probability[0][: len(leaders)]
    one = world.judged({"t": (1, None, f"{leaders[0]} {leaders[2]}")})
    share = (weights[0] + weights[2]) / weights.sum()
    assert list(one.values("leaders_judged", "fees").values()) == pytest.approx([share] * len(listing.rows))


def test_leaders_covered_is_the_share_of_the_leaders_in_documents_that_were_asked_about(world) -> None:
    listing = world.pairs(["fees"])
    leaders = world.index.passage_ids.gather(listing.leader_columns[0][listing.leaders[0] >= 0]).to_list()
    weights = listing.leader_probability[0][: len(leaders)]
    one = world.judged({"t": (1, None, "code:2.1")})
    share = weights[[each.startswith("code:") for each in leaders]].sum() / weights.sum()
    assert 0 < share < 1
    assert list(one.values("leaders_covered", "fees").values()) == pytest.approx([share] * len(listing.rows))
