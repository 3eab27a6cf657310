"""How well systems find what controls: BM25, dense, two-stage, and two-stage with rules, on one folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.authority.adapter import Adapter
from rulerank.authority.rules import supersession
from rulerank.authority.scopes import ScopeIndex, index_scopes, instants
from rulerank.authority.shown import accompanied
from rulerank.authority.supersession import BoolArray, Supersession
from rulerank.authority.two_stage import by_rules, by_scope, given_anchors, named_anchors, two_stage
from rulerank.retrieve.bm25 import Bm25Index, build_bm25
from rulerank.retrieve.fusion import Run, reciprocal_rank_fusion
from rulerank.settings import Bm25
from rulerank.text import analyse

SYSTEMS = ("bm25", "dense", "two_stage", "two_stage_rules")
DEPTH = 100
"""Documents of each list that count."""
WORDS = 1e-8
"""What one point of BM25 adds to a fused score: it orders what no list ranks, and moves no rank."""
CELLS = 1 << 22
"""(Question, document) pairs scored at once."""


@dataclass(frozen=True)
class Embeddings:
    """Unit vectors of the documents and the questions, each of shape (texts, dimension)."""

    documents: FloatArray
    queries: FloatArray


@dataclass(frozen=True, eq=False)
class Found:
    """What the systems return for one question: rows of the corpus.

    Parameters
    ----------
    anchors : array of int
        Where both two-stage systems start from.
    lists : mapping of str to array of int
        Each system's list, best first, at most `DEPTH` long.

    """

    anchors: IntArray
    lists: Mapping[str, IntArray]


@dataclass(frozen=True, eq=False)
class Corpus:
    """N documents under everything that the systems look at."""

    documents: pl.DataFrame
    adapter: Adapter
    scopes: ScopeIndex
    order: Supersession
    bm25: Bm25Index

    @cached_property
    def is_anchor(self) -> BoolArray:
        """Whether each document is of an anchor type, shape (N,)."""
        return self.documents["type"].is_in(self.adapter.anchor_type).to_numpy()

    @cached_property
    def is_superseding(self) -> BoolArray:
        """Whether each document is of a superseding type, shape (N,)."""
        return self.documents["type"].is_in(self.adapter.superseding_type).to_numpy()

    @cached_property
    def times(self) -> IntArray:
        """Microseconds of each document's timestamp, the least integer where there is none, shape (N,)."""
        return instants(self.documents["timestamp"])


def index_corpus(documents: pl.DataFrame, adapter: Adapter, source: Path | str, bm25: Bm25) -> Corpus:
    """Order and index the documents table of `rulerank.corpora.authority`.

    Raises
    ------
    InputError
        Supersession is circular.

    """
    return Corpus(
        documents,
        adapter,
        index_scopes(documents, adapter.scope_keys),
        supersession(documents, adapter, source),
        build_bm25(analyse(documents["text"].to_list()), bm25),
    )


def search(
    corpus: Corpus,
    queries: pl.DataFrame,
    embeddings: Embeddings | None,
    anchors: int,
    *,
    read_names: bool = True,
) -> Iterator[Found]:
    """Yield what every system returns, question by question; judgements take no part.

    Anchors are found by BM25, or by BM25 and dense fused by reciprocal rank where there are embeddings. First
    stand the documents of the scope that the question gives, or else one of each scope that its text names.

    Parameters
    ----------
    corpus : Corpus
        From `index_corpus`.
    queries : polars.DataFrame
        The queries table of `rulerank.corpora.authority`.
    embeddings : Embeddings, optional
        Without them there is no dense run.
    anchors : int
        Anchors a question.
    read_names : bool
        Whether scope values are looked for in the text of questions.

    """
    rows = max(1, CELLS // len(corpus.documents))
    for start in range(0, len(queries), rows):
        batch = queries.slice(start, rows)
        scores = {"bm25": corpus.bm25.scores(analyse(batch["text"].to_list()))}
        if embeddings is not None:
            scores["dense"] = embeddings.queries[start : start + rows] @ embeddings.documents.T
        lists = {name: _ranked(name, values) for name, values in scores.items()}
        fused = reciprocal_rank_fusion([Run(-_ranks(lists[name], scores[name].shape)) for name in scores])
        relevance = fused + WORDS * scores["bm25"]
        best = best_columns(relevance, DEPTH)
        for row, (text, scope) in enumerate(batch.select("text", "scope").rows()):
            ranked = best[row][relevance[row, best[row]] > 0]
            about = (corpus.is_anchor, relevance[row])
            known = given_anchors(corpus.scopes, corpus.scopes.given(json.loads(scope)), *about)
            if not known and read_names:
                known = named_anchors(corpus.scopes, corpus.scopes.named(text), *about)
            first = list(dict.fromkeys([*known, *ranked.tolist()]))[:anchors]
            own = {name: found[row] for name, found in lists.items()}
            yield Found(np.array(first, np.int64), _lists(corpus, own, first, ranked, relevance[row]))


def _lists(
    corpus: Corpus, own: Mapping[str, list[int]], anchors: list[int], ranked: IntArray, relevance: FloatArray
) -> dict[str, IntArray]:
    scope_alone = by_scope(corpus.scopes, corpus.is_superseding, corpus.times, relevance)
    with_rules = two_stage(anchors, ranked, by_rules(corpus.order, relevance))
    lists = {
        **own,
        "two_stage": two_stage(anchors, ranked, scope_alone),
        "two_stage_rules": accompanied(corpus.order, with_rules),
    }
    return {name: np.array(found[:DEPTH], np.int64) for name, found in lists.items()}


def _ranked(name: str, scores: FloatArray) -> list[list[int]]:
    """Return the first documents of each row; BM25 says nothing of one without a common word."""
    best = best_columns(scores, DEPTH)
    if name != "bm25":
        return best.tolist()  # type: ignore[no-any-return]
    kept = np.take_along_axis(scores, best, axis=1) > 0
    return [columns[match].tolist() for columns, match in zip(best, kept, strict=True)]


def _ranks(lists: list[list[int]], shape: tuple[int, ...]) -> FloatArray:
    ranks = np.full(shape, np.nan, np.float32)
    for row, columns in enumerate(lists):
        ranks[row, columns] = np.arange(1, len(columns) + 1)
    return ranks
