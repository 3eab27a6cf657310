"""Features of a question depend on that question alone, and not on passages that no run finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit

from rulerank.arrays import FloatArray
from rulerank.features import pairs as pairs_module
from rulerank.features.extract import candidates
from rulerank.features.feature_set import FeatureSet
from rulerank.features.index import DESCRIBED
from rulerank.features.listing import Listing
from rulerank.features.registry import registered
from rulerank.features.withheld import of_clusters
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.settings import Candidates

TERMS = [
    "pilot",
    "licence",
    "must",
    "vessel",
    "fee",
    "fees",
    "June",
    "tugs",
    "lights",
    "red",
    "form",
    "zebra",
]

# A question: its words, what its embedding is drawn by, the cluster of its judgements.
Question = tuple[list[str], int, int]
_QUESTIONS = st.lists(
    st.tuples(st.lists(st.sampled_from(TERMS), max_size=5), st.integers(0, 2**32), st.integers(-1, 3)),
    min_size=1,
    max_size=5,
)
_DEPTHS = st.sampled_from([1, 2, 5, 150])

# Some texts share words with the harbour's questions, some do not.
_TEXTS = st.sampled_from(["", "Zinc.", "Zinc and tar.", "A pilot must pay fees.", "Vessel lights are red."])
_FURTHER = st.lists(st.tuples(st.integers(0, 13), _TEXTS, st.booleans()), max_size=4)

OF_THE_CORPUS = {
    *("idf_overlap_sum", "idf_coverage", "context_idf_coverage", "unsaid", "unsaid_held"),
    *("leaders_word_likeness", "leaders_word_redundancy"),
    *("translation_score", "translation_rank", "translation_gap"),
    *("rank_diff", "rank_abs_diff", "rank_min", "rank_max", "runs_agreeing"),
    *(each.name for each in registered() if "bm25" in each.name),
}
"""Features that depend on the frequency of terms in the corpus or on the mean length of its passages."""


def _queries(questions: list[Question]) -> Queries:
    vectors = np.array([np.random.default_rng(seed).normal(size=4) for _, seed, _ in questions], np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [" ".join(words) for words, _, _ in questions]
    return prepare_queries([f"q{row}" for row in range(len(questions))], texts, vectors)


def _listing(world, questions: list[Question], depth: int) -> Listing:
    withheld = of_clusters(np.array([cluster for _, _, cluster in questions], np.int64))
    settings = Candidates(runs=DESCRIBED, depth=depth)
    pairs = candidates(world.index, _queries(questions), withheld, settings)
    return Listing(pairs, pairs.fused, expit(8 * pairs.fused - 6).astype(np.float32))


def _same(left: FloatArray, right: FloatArray, features: FeatureSet) -> None:
    for name, one, other in zip(features.names, left.T, right.T, strict=True):
        np.testing.assert_allclose(one, other, atol=2e-6, rtol=2e-6, err_msg=name)


@settings(max_examples=25, deadline=None)
@given(questions=_QUESTIONS, depth=_DEPTHS)
def test_features_of_a_question_do_not_depend_on_the_rest_of_the_batch(
    world, questions: list[Question], depth: int
) -> None:
    features, silent = registered().without("late"), world.without("late")
    listing = _listing(silent, questions, depth)
    matrix = features.compute(listing)
    for row, question in enumerate(questions):
        alone = _listing(silent, [question], depth)
        own = listing.rows == row
        assert listing.columns[own].tolist() == alone.columns.tolist()
        _same(matrix[own], features.compute(alone), features)


@settings(max_examples=12, deadline=None)
@given(further=_FURTHER, depth=st.integers(1, 12))
def test_features_do_not_depend_on_passages_that_no_run_finds(
    world, larger_world, further: list[tuple[int, str, bool]], depth: int
) -> None:
    # They point away from every question and have their own documents: `dense` ranks them behind the harbour.
    rows = [
        (place, (f"far{number if apart else ''}", str(number), "", "text", 1, (-1, -1, -1, -1), text))
        for number, (place, text, apart) in enumerate(further)
    ]
    larger = larger_world(rows)
    assert len(larger.index) == 13 + len(rows)
    features = FeatureSet(tuple(each for each in registered() if each.name not in OF_THE_CORPUS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs_module, "WORDS", 0)  # without BM25 in `fused`
        before, after = (each.pairs(depth=depth, runs=("dense",)) for each in (world, larger))
        ids = [each.index.passage_ids[each.columns].to_list() for each in (before, after)]
        assert ids[0] == ids[1]
        _same(features.compute(before), features.compute(after), features)
