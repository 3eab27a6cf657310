"""From a batch of questions to scored runs and the pairs worth ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.retrieve.bm25 import Bm25Index
from rulerank.retrieve.dense import DenseIndex
from rulerank.retrieve.expand import Walk, expand
from rulerank.retrieve.fusion import Run, reciprocal_rank_fusion, weighted_sum
from rulerank.retrieve.queries import Queries
from rulerank.settings import Candidates
from rulerank.tables import RUNS

GENERATORS = ("bm25", "bm25_context", "dense")
"""The runs that find candidates. `bm25_context` reads each passage after its ancestors' headings."""

LEXICAL = ("bm25", "bm25_context")
"""The generators that score 0 a passage which shares no term with the question."""

RUN_NAMES = (*GENERATORS, "rrf")
"""Every run that features are made of, the fusion of the others last."""

CLOSURE = "closure"
"""What the best candidates of the others lead to along citations: more candidates, where it is asked for."""

HYBRID = "hybrid"
"""BM25 and dense by a weighted sum of their scores: measured beside the others, source of nothing."""


@dataclass(frozen=True, eq=False)
class SearchIndex:
    """The passages under every generator; N passages in the order of the passages table.

    Parameters
    ----------
    has_text : boolean array of shape (N,)
        Headings without text are never candidates.
    bm25, bm25_context : Bm25Index
        The passages' own text, and the same after their ancestors' headings.
    dense : DenseIndex
        Their embeddings.

    """

    has_text: np.ndarray[tuple[int], np.dtype[np.bool_]]
    bm25: Bm25Index
    bm25_context: Bm25Index
    dense: DenseIndex

    def scores(self, queries: Queries) -> dict[str, FloatArray]:
        """Score every passage for every question; one array of shape (queries, N) a generator."""
        return {
            "bm25": self.bm25.scores(queries.terms),
            "bm25_context": self.bm25_context.scores(queries.terms),
            "dense": self.dense.scores(queries.embeddings),
        }


@dataclass(frozen=True, eq=False)
class Retrieved:
    """What the generators found for a batch of questions.

    Parameters
    ----------
    scores : mapping of str to array of shape (queries, N)
        Scores of every run for every passage.
    best : mapping of str to array of shape (queries, depth)
        The passages (columns) of each run's first ranks, best first.
    rows, columns : arrays of shape (pairs,)
        Question and passage of each candidate: the union of the runs, question by question.

    """

    scores: Mapping[str, FloatArray]
    best: Mapping[str, IntArray]
    rows: IntArray
    columns: IntArray


def retrieve(
    index: SearchIndex, queries: Queries, settings: Candidates, walk: Walk | None = None
) -> Retrieved:
    """Run every generator, fuse them, and unite their first `settings.depth` passages.

    Parameters
    ----------
    index : SearchIndex
        The passages.
    queries : Queries
        The questions.
    settings : Candidates
        The section `candidates` of params.yaml.
    walk : Walk, optional
        The graph of the passages, for the run `closure`.

    Raises
    ------
    ValueError
        The run `closure` is asked for without a graph.

    """
    scores = index.scores(queries)
    shape = scores["dense"].shape
    depth = min(settings.depth, int(index.has_text.sum()))
    best: dict[str, IntArray] = {}
    runs: list[Run] = []
    found = np.zeros(shape, bool)
    for name in (run for run in settings.runs if run != CLOSURE):
        best[name] = best_columns(np.where(index.has_text, scores[name], -np.inf), depth)
        first = np.zeros(shape, bool)
        np.put_along_axis(first, best[name], True, axis=1)
        first &= matches(name, scores[name])
        found |= first
        runs.append(Run(np.where(first, scores[name], np.nan)))
    scores["rrf"] = reciprocal_rank_fusion(runs, settings.rrf_k)
    fused = np.where(found, scores["rrf"], -np.inf)
    best["rrf"] = best_columns(fused, depth)
    if CLOSURE in settings.runs:
        if walk is None:
            raise ValueError("expected a graph for the run closure, found none")
        scores[CLOSURE] = expand(fused, index.has_text, walk, settings.closure)
        best[CLOSURE] = best_columns(scores[CLOSURE], settings.closure.found)
        found |= np.isfinite(scores[CLOSURE])
    hybrid = weighted_sum(
        [Run(np.where(index.has_text, scores[name], np.nan)) for name in ("dense", "bm25")],
        [settings.dense_weight, 1 - settings.dense_weight],
    )
    hybrid = np.where(index.has_text, hybrid, -np.inf)
    best[HYBRID], scores[HYBRID] = best_columns(hybrid, depth), hybrid
    rows, columns = np.nonzero(found)
    return Retrieved(scores, best, rows, columns)


def matches(run: str, scores: FloatArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return where a run holds a passage: without a common word BM25 says nothing of it."""
    return scores > 0 if run in LEXICAL else np.isfinite(scores)


def tabulate(retrieved: Retrieved, query_ids: Sequence[str], passage_ids: pl.Series) -> pl.DataFrame:
    """Return the runs table of a batch."""
    frames = []
    for name, columns in retrieved.best.items():
        scores = np.take_along_axis(retrieved.scores[name], columns, axis=1)
        rows, ranks = np.nonzero(matches(name, scores))
        frames.append(
            pl.DataFrame(
                {
                    "run": pl.repeat(name, len(rows), eager=True),
                    "query_id": pl.Series(query_ids, dtype=pl.String)[rows],
                    "passage_id": passage_ids[columns[rows, ranks]],
                    "rank": (ranks + 1).astype(np.int32),
                    "score": scores[rows, ranks].astype(np.float64),
                },
                schema=dict(RUNS.columns),
            )
        )
    return pl.concat(frames)
