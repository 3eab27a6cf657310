from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.features.listing import LEADERS, Listing
from rulerank.features.registry import registered
from rulerank.sparse import as_matrix
from tests.features.world import OFF

# The licence question: two rules of one section, a form that one of them cites, a fee of another section.
LISTED = {
    "act:1.1": (3.0, 0.9),
    "act:1.2": (2.0, 0.5),
    "code:2": (0.5, 0.2),
    "act:2.1": (-1.0, 0.1),
}


def _listing(world, listed: dict[str, tuple[float, float]], query: str = "pilot") -> Listing:
    """List some passages of a question with these scores and probabilities."""
    pairs = world.pairs([query]).pairs
    ids = world.index.passage_ids.to_list()
    found = sorted((ids.index(passage), *values) for passage, values in listed.items())
    columns, scores, probabilities = (np.array(values) for values in zip(*found, strict=True))
    retrieved = replace(pairs.retrieved, rows=np.zeros(len(found), np.int64), columns=columns)
    listed_pairs = replace(pairs, retrieved=retrieved)
    return Listing(listed_pairs, scores.astype(np.float32), probabilities.astype(np.float32))


@pytest.fixture
def values(world):
    """One feature of the listed passages, by passage id."""

    def of(feature: str, listed=LISTED, query: str = "pilot") -> dict[str, float]:
        listing = _listing(world, listed, query)
        found = registered().named([feature]).compute(listing)[:, 0]
        ids = world.index.passage_ids.gather(listing.columns).to_list()
        return dict(zip(ids, found.tolist(), strict=True))

    return of


def _approx(**found: float):
    return pytest.approx(found, abs=1e-5, nan_ok=True)


def test_first_pass_says_score_rank_gap_and_lead(values) -> None:
    ids = ("act:1.1", "act:1.2", "code:2", "act:2.1")

    def of(feature: str) -> list[float]:
        found = values(feature)
        return [found[passage] for passage in ids]

    assert of("first_score") == [3, 2, 0.5, -1]
    assert of("first_rank") == [1, 2, 3, 4]
    assert of("first_gap") == [0, -1, -2.5, -4]
    assert of("first_lead") == pytest.approx([1, 1.5, 1.5, np.nan], nan_ok=True)
    assert of("expected_relevant") == pytest.approx([1.7] * 4)


def test_leaders_likeness_is_the_mean_cosine_by_probability_without_the_passage_itself(values) -> None:
    # Cosines with act:1.1 (3, 4): act:1.2 (4, 3) .96, code:2 (4, 0, 0, 3) .48, act:2.1 (0, 3, 4) .48.
    found = values("leaders_likeness")["act:1.1"]
    assert found == pytest.approx((0.5 * 0.96 + 0.2 * 0.48 + 0.1 * 0.48) / 0.8, abs=OFF)


def test_leaders_redundancy_looks_at_better_leaders_alone(values) -> None:
    found = values("leaders_redundancy")
    # act:1.2 and code:2: 4 x 4 of 25.
    assert found["act:1.2"] == pytest.approx(0.96, abs=OFF)
    assert found["code:2"] == pytest.approx(0.64, abs=OFF)
    assert np.isnan(found["act:1.1"])


def test_leaders_overlap_sums_better_leaders_by_probability(values) -> None:
    assert values("leaders_overlap")["code:2"] == pytest.approx(0.9 * 0.48 + 0.5 * 0.64, abs=OFF)
    assert values("leaders_overlap")["act:1.1"] == 0


def test_leaders_word_redundancy_is_one_for_the_same_words(values) -> None:
    listed = {"act:1.1": (1.0, 0.5), "act:1.2": (2.0, 0.5)}
    found = values("leaders_word_redundancy", listed)
    # "A pilot must hold a licence. A pilot must not sleep." and "The master may suspend a licence."
    assert 0 < found["act:1.1"] < 1
    assert np.isnan(found["act:1.2"])
    alike = values("leaders_word_likeness", listed)
    assert alike["act:1.1"] == pytest.approx(alike["act:1.2"]) == pytest.approx(found["act:1.1"])


def test_leaders_count_by_document_section_and_place(values) -> None:
    ids = ("act:1.1", "act:1.2", "code:2", "act:2.1")
    found = {
        feature: [round(values(feature)[passage], 5) for passage in ids]
        for feature in ("leaders_in_document", "leaders_in_section", "leaders_near", "leaders_adjacent")
    }
    assert found == {
        "leaders_in_document": [0.6, 1.0, 0.0, 1.4],
        "leaders_in_section": [0.5, 0.9, 0.0, 0.0],
        # Places in the act: 1.1 is its second passage, 1.2 the third, 2.1 the fifth.
        "leaders_near": [0.6, 1.0, 0.0, 1.4],
        "leaders_adjacent": [0.5, 0.9, 0.0, 0.0],
    }


def test_leaders_linked_is_the_mean_probability_of_graph_neighbours(values, world) -> None:
    ids = world.index.passage_ids.to_list()
    row = as_matrix(world.index.around.neighbours, len(ids)).toarray()[ids.index("code:2")]
    expected = sum(row[ids.index(passage)] * values_[1] for passage, values_ in LISTED.items())
    # act:1.1 cites code:2.
    assert row[ids.index("act:1.1")] > 0
    assert values("leaders_linked")["code:2"] == pytest.approx(expected)


def test_unsaid_falls_with_every_better_leader_that_says_it(values, world) -> None:
    index = world.index.bm25
    pilot, hold, licence = (float(index.idf[index.vocabulary[term]]) for term in ("pilot", "hold", "licenc"))
    known = sum(
        float(index.idf[index.vocabulary[term]])
        for term in set(world.queries.terms[0])
        if term in index.vocabulary
    )
    left, held = values("unsaid"), values("unsaid_held")
    assert left["act:1.1"] == pytest.approx(1)
    # act:1.1 states each of its terms with probability .9; "must" is a term too if it is known.
    said = held["act:1.1"]
    assert said >= (pilot + hold + licence) / known - 1e-6
    assert left["act:1.2"] == pytest.approx(1 - 0.9 * said, abs=1e-5)
    # Of these, act:1.2 holds only "licence".
    assert held["act:1.2"] == pytest.approx(0.1 * licence / known, abs=1e-5)


def test_question_of_unknown_terms_has_nothing_unsaid(values) -> None:
    found = values("unsaid", query="empty")
    assert all(np.isnan(value) for value in found.values())


def test_leaders_rate_counts_what_is_judged_with_them_outside_the_own_cluster(values) -> None:
    # "fees" was never judged. t3 judges act:2, act:2.1 and act:2.2 together.
    listed = {"act:2": (2.0, 0.6), "act:2.1": (1.0, 0.3), "act:2.2": (0.0, 0.1)}
    assert values("leaders_support", listed, "fees") == _approx(
        **{"act:2": 0.4, "act:2.1": 0.7, "act:2.2": 0.9}
    )
    assert values("leaders_rate", listed, "fees") == _approx(**{"act:2": 0.4, "act:2.1": 0.7, "act:2.2": 0.9})
    # Only t1 and t2 judge act:1.1 with others of the list, and both are in the cluster of "pilot".
    assert set(values("leaders_support").values()) == {0.0}


@settings(max_examples=30, deadline=None)
@given(scores=st.lists(st.floats(-5, 5, width=32), min_size=1, max_size=12))
def test_leaders_are_the_first_ranks_and_never_lead_themselves(world, scores: list[float]) -> None:
    ids = [each for each in world.index.passage_ids if each != "act:1"][: len(scores)]
    listed = {each: (score, 0.5) for each, score in zip(ids, scores, strict=True)}
    listing = _listing(world, listed)
    leaders = listing.leaders[0]
    assert (leaders >= 0).sum() == min(LEADERS, len(scores))
    led = listing.first_score[leaders[leaders >= 0]]
    assert (np.diff(led) <= 0).all()
    itself = listing.leaders[listing.rows] == np.arange(len(listing.rows))[:, None]
    assert (listing.weights[itself] == 0).all()
    assert (listing.better.sum(axis=1) == np.minimum(listing.first_rank - 1, LEADERS)).all()


def test_second_pass_needs_a_listing(world) -> None:
    alone = world.pairs(["pilot"]).pairs
    with pytest.raises(ValueError, match="expected a Listing for"):
        registered().named(["first_rank"]).compute(alone)
