"""Neighbour features: how well the passages around a passage match the question."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.features.families import sum_of_others
from rulerank.features.feature_set import Feature
from rulerank.features.pairs import FUSED, Pairs
from rulerank.features.registry import declare, feature
from rulerank.retrieve.quantized import QuantizedVectors

FEEDBACK = 5
"""How many first ranks form the centroid that represents a good answer (pseudo-relevance feedback)."""

SUPPORTERS = 20
"""How many first ranks of a run lend support to the passages beside them."""


@feature("neighbours")
def q_to_nbrcentroid_cos(pairs: Pairs) -> FloatArray:
    """Cosine of question and centroid of the passage's graph neighbours, without adapter; missing if none."""
    return pairs.around.pretrained_mean() / pairs.index.centroid_lengths[pairs.columns]


@feature("neighbours")
def q_to_nbrmean_cos(pairs: Pairs) -> FloatArray:
    """Mean cosine of question and the passage's graph neighbours, without adapter; missing if none."""
    return pairs.around.pretrained_mean()


@feature("neighbours", constants={"FEEDBACK": FEEDBACK, **FUSED})
def feedback_score(pairs: Pairs) -> FloatArray:
    """Cosine of the passage and the centroid of the five best by `fused_score`, after the adapter."""
    return _feedback(pairs, pairs.index.dense.vectors)


@feature("neighbours", constants={"FEEDBACK": FEEDBACK, **FUSED})
def feedback_pretrained_score(pairs: Pairs) -> FloatArray:
    """Cosine of the passage and the centroid of the five best by `fused_score`, without adapter."""
    return _feedback(pairs, pairs.index.dense.pretrained)


@feature("neighbours")
def section_support(pairs: Pairs) -> FloatArray:
    """Sum of the RRF scores of the other candidates in the passage's section."""
    return sum_of_others(pairs.families.section, pairs.run_scores["rrf"])


@feature("neighbours")
def document_support(pairs: Pairs) -> FloatArray:
    """Sum of the RRF scores of the other candidates in the passage's document."""
    return sum_of_others(pairs.families.document, pairs.run_scores["rrf"])


def _declare_support(run: str) -> None:
    """Declare the features made from the run's scores of a passage's neighbours and ancestors."""

    def siblings_found(pairs: Pairs) -> FloatArray:
        said = pairs.run_scores[run] > pairs.index.generators[run].floor
        among = said & (pairs.run_ranks[run] <= SUPPORTERS)
        return sum_of_others(pairs.families.section, among.astype(np.float32))

    for each in (
        Feature(
            f"{run}_neighbour_mean",
            "neighbours",
            f"Mean score of the run {run} over the passage's graph neighbours; missing if none.",
            lambda pairs: pairs.around.neighbour_mean(run),
        ),
        Feature(
            f"{run}_parent",
            "neighbours",
            f"Score of the run {run} for the passage's parent; missing if none.",
            lambda pairs: pairs.around.parent(run),
        ),
        Feature(
            f"{run}_ancestor_max",
            "neighbours",
            f"Highest score of the run {run} among the passage's ancestors; missing if none.",
            lambda pairs: pairs.around.ancestor_max(run),
        ),
        Feature(
            f"{run}_adjacent_max",
            "neighbours",
            f"Highest score of the run {run} just before and after the passage; missing if none is there.",
            lambda pairs: pairs.around.adjacent_max(run),
        ),
        Feature(
            f"{run}_siblings_found",
            "neighbours",
            f"Number of other passages of the section among the first {SUPPORTERS} candidates by the run "
            f"{run}.",
            siblings_found,
            constants={"SUPPORTERS": SUPPORTERS},
        ),
    ):
        declare(each)


for _run in ("bm25", "dense"):
    _declare_support(_run)


def _feedback(pairs: Pairs, vectors: QuantizedVectors) -> FloatArray:
    dense = pairs.index.dense
    best = pairs.first(pairs.fused_rank, FEEDBACK)
    owner, place = np.nonzero(best >= 0)
    centroids = np.zeros((len(pairs.queries), vectors.width), np.float32)
    np.add.at(centroids, owner, vectors.take(dense.place[pairs.columns[best[owner, place]]]).numbers())
    return dense.cosines(normalise_rows(centroids), vectors, pairs.rows, pairs.columns)
