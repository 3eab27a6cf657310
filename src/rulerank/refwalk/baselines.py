"""Other ways to order the passages that RefWalk gathers for a question."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle import Bundle
from rulerank.refwalk.atoms import Atoms
from rulerank.refwalk.decomposition import Decompose
from rulerank.refwalk.pagerank import TermGraph
from rulerank.refwalk.variants import ranked
from rulerank.refwalk.walk import Pool, RefWalk
from rulerank.retrieve.fusion import Run, reciprocal_rank_fusion

Baseline = Callable[[str, Pool], FloatArray]
"""From a question and its pool to the score of each passage of the pool; higher is better."""


def baselines(walk: RefWalk, bundle: Bundle, parts: Decompose) -> dict[str, Baseline]:
    """Return the baselines by name; each orders the pool that it receives.

    - dense: the encoder's cosine with the question.
    - pagerank: personalised PageRank over citations and defined terms. It starts at the passages, weighted by
      their cosine with the question, and at the question's terms (after HippoRAG 2, Gutiérrez and others,
      2025).
    - decomposition: the walk's scorer on the question and on each of its parts, fused by RRF.
    - atoms: sentences that match the parts one by one (`Atoms`).

    Parameters
    ----------
    walk : RefWalk
        Provides the search and the scorer.
    bundle : Bundle
        Holds the passages.
    parts : Decompose
        Splits a question into parts.

    """
    graph = TermGraph.build(bundle.edges, bundle.passages["passage_id"])
    atoms = Atoms.build(bundle.passages["text"], bundle.analyser)

    def dense(question: str, pool: Pool) -> FloatArray:
        scores: FloatArray = walk.search(question)[pool.passages]
        return scores

    def pagerank(question: str, pool: Pool) -> FloatArray:
        return graph.rank(question, pool.passages, dense(question, pool))

    def decomposition(question: str, pool: Pool) -> FloatArray:
        asked = [part for part in parts(question) if part != question]
        runs = [Run(walk.scorer(part, pool.passages)[None, :]) for part in asked]
        fused: FloatArray = reciprocal_rank_fusion([pool.runs["narrow"], *runs])[0]
        return fused

    def by_atoms(question: str, pool: Pool) -> FloatArray:
        return atoms.rank(bundle.analyser(list(parts(question))), pool.passages)

    return {"dense": dense, "pagerank": pagerank, "decomposition": decomposition, "atoms": by_atoms}


def order_of(
    name: str, query_id: str, pool: Pool, scores: FloatArray, passage_ids: pl.Series
) -> pl.DataFrame:
    """Return a pool by the scores of a baseline, as rows of the runs table; ties are ordered by row."""
    best = np.lexsort((pool.passages, -scores))
    return ranked(name, query_id, passage_ids.gather(pool.passages[best]), scores[best])
