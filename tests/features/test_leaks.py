"""A training question's own judgements never reach its own features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.features import extract as extract_module
from rulerank.features.extract import extract
from rulerank.features.index import DESCRIBED
from rulerank.features.registry import registered
from rulerank.features.withheld import DOCUMENTS, SECTIONS, Withheld, of_clusters
from rulerank.features.withheld import PASSAGES as PASSAGE_BY_PASSAGE
from rulerank.settings import Candidates

FEATURES = [
    "document_judged",
    "section_judged",
    "question_familiarity",
    "relevance_prior",
    "co_judgement_support",
    "co_judgement_rate",
    "co_judgement_two_hops",
    "similar_question_max",
    "similar_question_votes",
    "similar_question_votes_rank",
    "leaders_judged",
    "leaders_covered",
    "leaders_support",
    "leaders_rate",
    "set_completion",
]
PASSAGES = ["act:1.1", "act:1.2", "act:2", "act:2.1", "act:2.2", "code:1.1", "code:2", "code:2.1", "note:1"]
OWN = 0  # the cluster of the question "pilot"

Sets = dict[str, tuple[int, tuple[int, ...] | None, str]]

_VECTORS = st.one_of(
    st.none(), st.sampled_from([(4, 3, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (3, 0, 4, 0), (0, 1, 0, 0)])
)
_JUDGED = st.lists(st.sampled_from(PASSAGES), min_size=1, max_size=5, unique=True).map(" ".join)


def _questions(prefix: str, clusters: st.SearchStrategy[int], most: int) -> st.SearchStrategy[Sets]:
    each = st.tuples(clusters, _VECTORS, _JUDGED)
    return st.lists(each, max_size=most).map(lambda rows: {f"{prefix}{i}": row for i, row in enumerate(rows)})


own_questions = _questions("own", st.just(OWN), 15)
other_questions = _questions("other", st.integers(1, 4), 6)


def _matrix(world, sets: Sets, question: str = "pilot") -> FloatArray:
    return registered().named(FEATURES).compute(world.judged(sets).pairs([question]))


def _same(left: FloatArray, right: FloatArray) -> bool:
    return np.allclose(left, right, atol=1e-5, rtol=1e-5, equal_nan=True)


@settings(max_examples=40, deadline=None)
@given(own=own_questions, others=other_questions)
def test_leak_own_cluster_held_out_is_as_if_never_judged(world, own: Sets, others: Sets) -> None:
    present, absent = _matrix(world, {**own, **others}), _matrix(world, others)
    assert _same(present, absent)
    # No rounding residue remains that a tree could split on.
    assert np.array_equal(present > 0, absent > 0)


@settings(max_examples=40, deadline=None)
@given(before=own_questions, after=own_questions, others=other_questions)
def test_leak_own_judgements_altered_deleted_or_added_change_nothing(
    world, before: Sets, after: Sets, others: Sets
) -> None:
    assert _same(_matrix(world, {**before, **others}), _matrix(world, {**others, **after}))


@settings(max_examples=20, deadline=None)
@given(own=own_questions, others=other_questions)
def test_leak_own_judgements_stay_out_in_a_batch_with_other_questions(world, own: Sets, others: Sets) -> None:
    pairs = world.judged({**own, **others}).pairs(["fees", "pilot", "lights"])
    batch = registered().named(FEATURES).compute(pairs)[pairs.rows == 1]
    assert _same(batch, _matrix(world, others))


def test_leak_tests_look_at_every_feature_that_judgements_make() -> None:
    assert sorted(FEATURES) == sorted(each.name for each in registered() if each.group == "judgement")


def test_features_of_other_groups_do_not_know_the_judgements(world) -> None:
    others = registered().without("judgement")
    judged, never = (others.compute(each.pairs()) for each in (world, world.judged({})))
    assert np.array_equal(judged, never, equal_nan=True)


@pytest.mark.parametrize("feature", FEATURES)
@pytest.mark.parametrize("question", ["fees", "lights"])
def test_leak_tests_can_fail_judgements_of_a_cluster_change_the_other_questions(
    world, feature: str, question: str
) -> None:
    others: Sets = {"t": (1, (0, 1, 0, 0), "act:2 act:2.1")}
    own: Sets = {"s": (OWN, (1, 1, 1, 1), "act:2 code:1.1 act:2.2")}
    column = FEATURES.index(feature)
    without, present = (_matrix(world, sets, question)[:, column] for sets in (others, {**others, **own}))
    assert not _same(without, present)


@settings(max_examples=20, deadline=None)
@given(own=own_questions, others=other_questions, batch=st.permutations(["fees", "pilot", "lights"]))
def test_leak_held_out_clusters_go_with_their_questions_from_batch_to_batch(
    world, own: Sets, others: Sets, batch: list[str]
) -> None:
    known = world.judged({**own, **others})
    rows = [world.queries.ids.index(each) for each in batch]
    queries, withheld = known.queries.take(np.array(rows)), of_clusters(np.array(known.held_out)[rows])
    alone = registered().named(FEATURES).of_pass(1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extract_module, "CANDIDATES", 1)
        described = list(extract(known.index, queries, withheld, alone, Candidates(runs=DESCRIBED)))
    assert len(described) == 3
    expected = alone.compute(world.judged(others).pairs(["pilot"]).pairs)
    assert _same(described[batch.index("pilot")].matrix, expected)


@pytest.mark.parametrize("feature", FEATURES)
def test_leak_tests_can_fail_without_the_cluster_the_question_sees_itself(world, feature: str) -> None:
    sets: Sets = {"s": (7, (4, 3, 0, 0), "act:1.1 act:1.2"), "t": (1, (0, 0, 1, 0), "code:2 code:2.1")}
    own: Sets = {**sets, "s": (OWN, *sets["s"][1:])}
    column = FEATURES.index(feature)
    assert not _same(_matrix(world, sets)[:, column], _matrix(world, own)[:, column])


def test_leak_many_near_duplicates_leave_no_residue(world) -> None:
    own: Sets = {f"s{i}": (OWN, (4, 3, 0, 0), "act:1.1 act:1.2 code:2 code:2.1") for i in range(200)}
    others: Sets = {"t": (1, (0, 0, 1, 0), "act:2 act:2.1")}
    present, absent = _matrix(world, {**own, **others}), _matrix(world, others)
    assert np.array_equal(present > 0, absent > 0)
    assert _same(present, absent)


def test_no_evidence_but_the_own_cluster_is_none(world) -> None:
    matrix = _matrix(world, {"s": (OWN, (4, 3, 0, 0), "act:1.1 act:1.2")})
    shares = [
        FEATURES.index(each)
        for each in ("document_judged", "section_judged", "leaders_judged", "leaders_covered")
    ]
    assert not matrix[:, shares].any()
    assert np.isnan(np.delete(matrix, shares, axis=1)).all()


@settings(max_examples=40, deadline=None)
@given(
    sets=other_questions,
    level=st.sampled_from([DOCUMENTS, SECTIONS, PASSAGE_BY_PASSAGE]),
    salt=st.integers(0, 2**64 - 1),
)
def test_leak_what_is_hidden_is_as_if_never_judged(world, sets: Sets, level: int, salt: int) -> None:
    withheld = Withheld(np.array([OWN]), np.array([level]), np.array([salt], np.uint64))
    around, ids = world.index.around, world.index.passage_ids.to_list()
    columns = np.arange(len(ids))
    units = [around.documents, around.sections, columns]
    hidden = withheld.hides(np.zeros(len(ids), np.int64), units)
    seen = {
        name: (cluster, vector, " ".join(each for each in judged.split() if not hidden[ids.index(each)]))
        for name, (cluster, vector, judged) in sets.items()
    }
    features = registered().named(FEATURES)
    listing = world.judged(sets).pairs(["pilot"])
    masked = replace(listing, pairs=replace(listing.pairs, withheld=withheld))
    assert _same(features.compute(masked), _matrix(world, seen))
