"""The parts of RefWalk over an exported ranker: its encoder gathers, its graph expands, its model scores."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import RANKER, Bundle
from rulerank.graph.adjacency import adjacency
from rulerank.graph.closure import Closure
from rulerank.ranker.order import described_with
from rulerank.refwalk.views import unmarked
from rulerank.refwalk.walk import Expand, Scorer, Search
from rulerank.settings import RefWalkSettings


def dense_search(bundle: Bundle) -> Search:
    """Return a search by the bundle's encoder and adapter; headings without text are never returned.

    Sentence encoders learn from plain text, so the marks of a view are left out.
    """
    dense = bundle.index.dense
    passages = np.flatnonzero(bundle.index.around.has_text)

    def search(text: str) -> FloatArray:
        queries = bundle.queries([""], [unmarked(text)])
        scores = np.full(len(bundle.index), -np.inf, np.float32)
        scores[passages] = dense.score(queries, np.zeros(len(passages), np.int64), passages)
        return scores

    return search


def citation_expansion(edges: pl.DataFrame, passage_ids: pl.Series, settings: RefWalkSettings) -> Expand:
    """Return the expansion along citations, followed both ways.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table.
    passage_ids : polars.Series
        The N passages, in the order of their rows.
    settings : RefWalkSettings
        `edge_types`, `hops` and `decay`.

    """
    closure = Closure(adjacency(edges, passage_ids, settings.edge_types, "both"))

    def expand(seeds: IntArray, scores: FloatArray) -> tuple[IntArray, FloatArray]:
        # Decay would raise a cosine below 0.
        reached = closure.from_seeds(seeds, np.maximum(scores, 0), settings.hops, settings.decay)
        return reached.passages, reached.score

    return expand


def ranker_scorer(bundle: Bundle) -> Scorer:
    """Return the bundle's own model as a scorer.

    It reads words, so the marks of a view are left out. Features are extracted for the passages together with
    the candidates of the text itself. So a rank among them means the same as in training.
    """

    def score(text: str, passages: IntArray) -> FloatArray:
        batch = described_with(bundle, unmarked(text), passages)
        scores = bundle.scores(RANKER, batch).total.astype(np.float32)
        return scores[np.searchsorted(batch.pairs.columns, passages)]

    return score


def passage_texts(bundle: Bundle) -> pl.Series:
    """Return what a cross-encoder reads of each passage: its document's title, its section and its text."""
    titled = bundle.passages.join(bundle.documents, on="document_id", how="left", maintain_order="left")
    heading = pl.concat_str(pl.col("title_right").fill_null(""), "section", separator=" ").str.strip_chars()
    return titled.select(pl.concat_str(heading, "text", separator="\n").str.strip_chars()).to_series()
