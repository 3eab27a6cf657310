"""Retrieval by BM25, dense vectors, two stages, and two stages with rules, over the documents of a domain."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray, best_columns
from rulerank.authority.anchors import Anchors, given_anchors, named_anchors
from rulerank.authority.index import DomainIndex
from rulerank.authority.shown import with_superseders
from rulerank.authority.two_stage import Controls, by_rules, by_scope, two_stage
from rulerank.retrieve.fusion import Run, reciprocal_rank_fusion
from rulerank.text import analyse

DEPTH = 100
"""The most documents in each list."""
BM25_TIEBREAK = 1e-8
"""The weight of a BM25 point in a fused score: it orders documents that no list ranks, and moves no rank."""
BATCH_PAIRS = 1 << 22
"""The most (question, document) pairs scored at once."""


@dataclass(frozen=True)
class Embeddings:
    """Unit vectors of the documents and the questions, each of shape (texts, dimension)."""

    documents: FloatArray
    queries: FloatArray


@dataclass(frozen=True, eq=False)
class Retrieval:
    """What every system returns for one question, as rows of the documents.

    Parameters
    ----------
    anchors : array of int
        The documents that both two-stage systems start from.
    lists : mapping of str to array of int
        Each system's list, best first, at most `DEPTH` long.

    """

    anchors: IntArray
    lists: Mapping[str, IntArray]


def search(
    index: DomainIndex,
    queries: pl.DataFrame,
    embeddings: Embeddings | None,
    anchors: int,
    *,
    read_names: bool = True,
) -> Iterator[Retrieval]:
    """Yield what every system returns, question by question; judgements are not used.

    Anchors are documents of an anchor type, found by BM25 or, if there are embeddings, by BM25 and dense
    vectors fused by reciprocal rank. The documents of the scope that a question gives come first, or else
    those of each scope that its text names.

    Parameters
    ----------
    index : DomainIndex
        From `rulerank.authority.index.index_domain`.
    queries : polars.DataFrame
        The queries table of `rulerank.corpora.authority`.
    embeddings : Embeddings or None
        Without them there is no dense run.
    anchors : int
        Anchors per question.
    read_names : bool, optional (default=True)
        Whether scope values are looked up in the text of questions.

    """
    rows = max(1, BATCH_PAIRS // len(index.documents))
    for start in range(0, len(queries), rows):
        batch = queries.slice(start, rows)
        scores = {"bm25": index.bm25.scores(analyse(batch["text"].to_list()))}
        if embeddings is not None:
            scores["dense"] = embeddings.queries[start : start + rows] @ embeddings.documents.T
        lists = {name: _ranked(name, values) for name, values in scores.items()}
        relevance = _fused(lists, scores)
        among = {name: np.where(index.is_anchor, values, -np.inf) for name, values in scores.items()}
        fitness = _fused({name: _ranked(name, values) for name, values in among.items()}, scores)
        for row, (text, scope) in enumerate(batch.select("text", "scope").rows()):
            ranked, found = _best(relevance[row]), _best(fitness[row])
            found = found[index.is_anchor[found]][:anchors]
            named = _named(index, text if read_names else "", json.loads(scope), relevance[row], found)
            # If no document of an anchor type has a word of the question, those of other types are used.
            chosen = Anchors(named, (found if len(found) else ranked).tolist()).first(anchors)
            own = {name: ranking[row] for name, ranking in lists.items()}
            yield Retrieval(chosen.rows, _lists(index, own, chosen, ranked, relevance[row]))


def _fused(lists: Mapping[str, list[list[int]]], scores: Mapping[str, FloatArray]) -> FloatArray:
    """Return the relevance of every document: reciprocal rank fusion, equal values by BM25."""
    fused = reciprocal_rank_fusion([Run(-_ranks(lists[name], scores[name].shape)) for name in lists])
    return fused + BM25_TIEBREAK * scores["bm25"]


def _best(relevance: FloatArray) -> IntArray:
    best: IntArray = best_columns(relevance[None], DEPTH)[0]
    return best[relevance[best] > 0]


def _named(
    index: DomainIndex, text: str, scope: Mapping[str, str | None], relevance: FloatArray, found: IntArray
) -> list[int]:
    """Return the anchors of the scopes that come with a question, or else of those that its text names."""
    given = given_anchors(index.scopes, index.scopes.given(scope), index.is_anchor, relevance)
    if given:
        return given
    return named_anchors(index.scopes, index.scopes.named(text), index.is_anchor, relevance, found)


def _lists(
    index: DomainIndex,
    own: Mapping[str, list[int]],
    anchors: Anchors,
    ranked: IntArray,
    relevance: FloatArray,
) -> dict[str, IntArray]:
    def staged(controls: Controls) -> list[int]:
        known, more = (two_stage(rows, controls) for rows in (anchors.named, anchors.found))
        return list(dict.fromkeys([*known, *more, *ranked.tolist()]))

    lists = {
        **own,
        "two_stage": staged(by_scope(index.scopes, index.is_superseding, index.times, relevance)),
        "two_stage_rules": with_superseders(index.order, staged(by_rules(index.order, relevance))),
    }
    return {name: np.array(rows[:DEPTH], np.int64) for name, rows in lists.items()}


def _ranked(name: str, scores: FloatArray) -> list[list[int]]:
    """Return the first documents of each row; BM25 ranks no document without a common word."""
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
