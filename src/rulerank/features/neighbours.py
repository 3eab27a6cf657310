"""Neighbour features: how well the passages around a passage match the question."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, IntArray, best_columns, normalise_rows
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature
from rulerank.retrieve.search import matches


@feature("neighbours")
def q_to_nbrcentroid_cos(pairs: Pairs) -> FloatArray:
    """Cosine of question and centroid of the passage's graph neighbours, no adapter; missing if none."""
    return _present(pairs, pairs.encoded @ pairs.index.neighbour_centroids.T)


@feature("neighbours")
def q_to_nbrmean_cos(pairs: Pairs) -> FloatArray:
    """Mean cosine of question and each of the passage's graph neighbours, no adapter; missing if none."""
    return _present(pairs, pairs.encoded @ pairs.index.neighbour_means.T)


@feature("neighbours")
def feedback_score(pairs: Pairs) -> FloatArray:
    """Cosine of the passage and the centroid of the five best by `fused_score`, after the adapter."""
    return _feedback(pairs, pairs.index.search.dense.adapted)


@feature("neighbours")
def feedback_pretrained_score(pairs: Pairs) -> FloatArray:
    """Cosine of the passage and the centroid of the question's five best by `fused_score`, no adapter."""
    return _feedback(pairs, pairs.index.search.dense.encoded)


@feature("neighbours")
def section_support(pairs: Pairs) -> FloatArray:
    """RRF scores of the other candidates of the passage's section, summed."""
    return _others(pairs, pairs.index.family, pairs.run_scores["rrf"])


@feature("neighbours")
def document_support(pairs: Pairs) -> FloatArray:
    """RRF scores of the other candidates of the passage's document, summed."""
    return _others(pairs, pairs.index.static["document"].astype(np.int64), pairs.run_scores["rrf"])


def _declare_support(run: str) -> None:
    """Declare what the run's scores of a passage's neighbours and ancestors add."""

    def neighbour_mean(pairs: Pairs) -> FloatArray:
        return _present(pairs, np.asarray(pairs.index.neighbours @ pairs.scores[run].T).T)

    def parent(pairs: Pairs) -> FloatArray:
        parents = pairs.index.parents[pairs.columns]
        return np.where(parents >= 0, _stated(pairs, run)[pairs.rows, parents], np.nan).astype(np.float32)

    def ancestor_max(pairs: Pairs) -> FloatArray:
        best = np.full(len(pairs.rows), np.nan, np.float32)
        scores, above = _stated(pairs, run), pairs.index.parents[pairs.columns]
        while (above >= 0).any():
            score = np.where(above >= 0, scores[pairs.rows, above], np.nan)
            best = np.fmax(best, score).astype(np.float32)
            above = np.where(above >= 0, pairs.index.parents[above], -1)
        return best

    def adjacent_max(pairs: Pairs) -> FloatArray:
        scores = _stated(pairs, run)
        before, after = (pairs.index.adjacent[side][pairs.columns] for side in (0, 1))
        sides = [np.where(side >= 0, scores[pairs.rows, side], np.nan) for side in (before, after)]
        return np.fmax(*sides).astype(np.float32)

    def siblings_found(pairs: Pairs) -> FloatArray:
        found = matches(run, pairs.run_scores[run]) & (pairs.run_ranks[run] <= SUPPORTERS)
        return _others(pairs, pairs.index.family, found.astype(np.float32))

    neighbour_mean.__doc__ = (
        f"Mean score of the run {run} over the passage's graph neighbours; missing if none."
    )
    parent.__doc__ = f"Score of the run {run} for the passage's parent; missing if none."
    ancestor_max.__doc__ = f"Highest score of the run {run} among the passage's ancestors; missing if none."
    adjacent_max.__doc__ = (
        f"Highest score of the run {run} just before and after the passage; missing if none is there."
    )
    siblings_found.__doc__ = (
        f"Other passages of the same section among the first {SUPPORTERS} candidates by the run {run}."
    )
    feature("neighbours", name=f"{run}_neighbour_mean")(neighbour_mean)
    feature("neighbours", name=f"{run}_parent")(parent)
    feature("neighbours", name=f"{run}_ancestor_max")(ancestor_max)
    feature("neighbours", name=f"{run}_adjacent_max")(adjacent_max)
    feature("neighbours", name=f"{run}_siblings_found")(siblings_found)


FEEDBACK = 5
"""First ranks whose centroid stands for what a good answer looks like (pseudo-relevance feedback)."""

SUPPORTERS = 20
"""First ranks of a run that lend support to the passages beside them."""

for _run in ("bm25", "dense"):
    _declare_support(_run)


def _feedback(pairs: Pairs, embeddings: FloatArray) -> FloatArray:
    best = best_columns(pairs.fused, FEEDBACK)
    return pairs.at(normalise_rows(embeddings[best].mean(axis=1)) @ embeddings.T)


def _others(pairs: Pairs, families: IntArray, own: FloatArray) -> FloatArray:
    """Sum a value of a question's candidates by family, and take the pair's own away."""
    cells = pairs.rows * len(pairs.index) + families[pairs.columns]
    others: FloatArray = np.bincount(cells, weights=own)[cells] - own
    return others.astype(np.float32)


def _stated(pairs: Pairs, run: str) -> FloatArray:
    """Return a run's scores, NaN for headings without text: there is nothing that they could match."""
    return np.where(pairs.index.search.has_text, pairs.scores[run], np.nan).astype(np.float32)


def _present(pairs: Pairs, matrix: FloatArray) -> FloatArray:
    """Return the pairs' cells, NaN for a passage without neighbours."""
    alone = pairs.of_passage("neighbours") == 0
    return np.where(alone, np.nan, pairs.at(matrix)).astype(np.float32)
