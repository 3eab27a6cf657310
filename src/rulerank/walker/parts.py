"""The parts of a walk over an exported ranker: its encoder gathers, its graph expands, its model scores."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import RANKER, Bundle
from rulerank.features.extract import extract, unseen
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import adjacency
from rulerank.ranker import Ranker
from rulerank.retrieve.refwalk.views import unmarked
from rulerank.retrieve.refwalk.walk import Expand, Scorer, Search
from rulerank.retrieve.search import retrieve
from rulerank.settings import RefWalk


def dense_search(bundle: Bundle) -> Search:
    """Return a search by the bundle's encoder and adapter; headings without text are never found.

    Sentence encoders learn from plain text, so the marks of a view are left out.
    """
    index = bundle.index.search

    def search(text: str) -> FloatArray:
        scores = index.dense.scores(bundle.embed([unmarked(text)]))[0]
        return np.where(index.has_text, scores, -np.inf).astype(np.float32)

    return search


def citations(edges: pl.DataFrame, passage_ids: pl.Series, settings: RefWalk) -> Expand:
    """Return the expansion along citation-bearing edges, followed both ways.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table.
    passage_ids : polars.Series
        The N passages, in the order of their rows.
    settings : RefWalk
        `edge_types`, `hops` and `decay`.

    """
    walk = Closure(adjacency(edges, passage_ids, settings.edge_types, "both"))

    def expand(seeds: IntArray, scores: FloatArray) -> tuple[IntArray, FloatArray]:
        # A cosine below 0 would grow by decaying.
        found = walk.from_seeds(seeds, np.maximum(scores, 0), settings.hops, settings.decay)
        return found.passages, found.score

    return expand


def learned_scorer(ranker: Ranker) -> Scorer:
    """Return the ranker's own model as a scorer.

    It reads words, so the marks of a view are left out. The candidates that it would have found are described
    beside the passages: a rank among them means what it did in training.
    """
    bundle = ranker.bundle

    def score(text: str, passages: IntArray) -> FloatArray:
        queries = ranker.bundle.queries([""], [unmarked(text)])
        own = retrieve(bundle.index.search, queries, bundle.candidates, bundle.index.closure).columns
        described = np.union1d(own, passages)
        ids = bundle.passages["passage_id"].gather(described)
        pairs = pl.DataFrame({"query_id": pl.repeat("", len(ids), eager=True), "passage_id": ids})
        (batch,) = extract(
            bundle.index,
            queries,
            unseen(queries),
            bundle.features,
            bundle.candidates,
            pairs,
            first_pass=bundle.first_pass,
        )
        scores = np.asarray(bundle.scores(RANKER, batch.matrix), np.float32)
        return scores[np.searchsorted(described, passages)]

    return score


def shown_texts(bundle: Bundle) -> pl.Series:
    """Return what a cross-encoder reads of each passage: its document's title, its section and its text."""
    titled = bundle.passages.join(bundle.documents, on="document_id", how="left", maintain_order="left")
    heading = pl.concat_str(pl.col("title_right").fill_null(""), "section", separator=" ").str.strip_chars()
    return titled.select(pl.concat_str(heading, "text", separator="\n").str.strip_chars()).to_series()
