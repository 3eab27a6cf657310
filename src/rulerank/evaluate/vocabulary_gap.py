"""How much closer the wording of questions is to what has been voided than to what controls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.index import DomainIndex
from rulerank.text import analyse


def vocabulary_gap(index: DomainIndex, queries: pl.DataFrame) -> dict[str, Any]:
    """Compare questions with what is voided and with what controls, by shared stems and by BM25.

    On each side, the best document of a question's chain counts. The chain is its `provenance`, or gold and
    what it voids. Questions without a voided document are left out.

    Returns
    -------
    dict
        `queries`; `jaccard` and `bm25`, each with the means `voided` and `controlling`, and `positive`, the
        share of the questions closer to what is voided.

    """
    rows_of = {document: row for row, document in enumerate(index.documents["document_id"])}
    sides: list[tuple[int, IntArray, IntArray]] = []
    for number, (gold, provenance) in enumerate(queries.select("gold", "provenance").iter_rows()):
        judged = np.array([rows_of[each] for each in gold], np.int64)
        chain = np.array([rows_of[each] for each in provenance], np.int64)
        controlling = index.order.front(judged.tolist())
        voided = np.setdiff1d(np.union1d(chain, index.order.voided(controlling.tolist())), controlling)
        if len(voided):
            sides.append((number, voided, controlling))
    if not sides:
        return {"queries": 0}
    analysed = analyse(queries["text"].to_list())
    documents = np.unique(np.concatenate([rows for _, *both in sides for rows in both]))
    texts = analyse(index.documents["text"].gather(documents).to_list())
    scores = index.bm25.scores(analysed)[:, documents]
    return {
        "queries": len(sides),
        "jaccard": _gap(sides, documents, lambda query, place: _jaccard(analysed[query], texts[place])),
        "bm25": _gap(sides, documents, lambda query, place: float(scores[query, place])),
    }


def _gap(
    sides: Sequence[tuple[int, IntArray, IntArray]],
    documents: IntArray,
    closeness: Callable[[int, int], float],
) -> dict[str, float]:
    best: FloatArray = np.array(
        [
            [max(closeness(query, place) for place in np.searchsorted(documents, rows)) for rows in both]
            for query, *both in sides
        ]
    )
    voided, controlling = best.mean(axis=0).tolist()
    positive = float((best[:, 0] > best[:, 1]).mean())
    return {"voided": voided, "controlling": controlling, "positive": positive}


def _jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the share of terms, among those of either text, that both texts contain."""
    either = set(first) | set(second)
    return len(set(first) & set(second)) / len(either) if either else 0.0
