"""The measures of controlling authority: one row per system and question, and their means with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import polars as pl
from scipy.stats import binomtest

from rulerank.arrays import IntArray
from rulerank.authority.index import DomainIndex
from rulerank.authority.search import Retrieval
from rulerank.authority.tca import (
    answer_and_direct_closure,
    closed,
    derive_answer,
    document_hit,
    equal_text_hit,
    final_event,
    final_event_hit,
    tca,
)
from rulerank.evaluate.authority_failures import JUDGED, factors, failure_class, failures

DEPTHS = (5, 10, 20)
"""The k of TCA@k and its variants."""
HITS = (1, 5, 10)
"""The k of hit@k."""


def per_question(index: DomainIndex, queries: pl.DataFrame, retrievals: Iterable[Retrieval]) -> pl.DataFrame:
    """Measure every list of every question.

    Parameters
    ----------
    index : DomainIndex
        The N documents.
    queries : polars.DataFrame
        The questions, as `rulerank.corpora.authority.AuthorityData` holds them.
    retrievals : iterable of Retrieval
        What `rulerank.authority.search.search` returned for them, in the same order.

    Returns
    -------
    frame
        Columns: system, query_id, group; `rank` of the final event (N + 1 if the list lacks it); `mrr`
        (1 / rank); ProvRec@k; `failure` (from `failure_class`, null if there is none); and the rates. Each
        rate is true, false, or null where undefined: anchor_recall (two-stage systems), hit@k (final event),
        TCA@k, TCA_equal_text@k, closure_violation@k, answer_correct@k and answer_and_direct_closure@k
        (questions with an answer, domains with answers), document_hit@k, equal_text_hit@k.

    """
    rows_of = {document: row for row, document in enumerate(index.documents["document_id"])}
    types = index.documents["type"].to_list()
    texts = index.documents["text"].rank("dense").cast(pl.Int64).to_numpy()
    rows = []
    questions = queries.select("query_id", "gold", "provenance", "group", "answer").iter_rows(named=True)
    for query, retrieval in zip(questions, retrievals, strict=True):
        gold, provenance = (
            np.array([rows_of[document] for document in query[name]], np.int64)
            for name in ("gold", "provenance")
        )
        if not len(provenance):
            provenance = np.union1d(gold, index.order.voided(gold.tolist()))
        reached = bool(np.isin(_scopes(index, gold), index.scopes.of[retrieval.anchors]).any())
        for system, ranked in retrieval.lists.items():
            staged = system.startswith("two_stage")
            entries = retrieval.anchors if staged else ranked
            rows.append(
                {
                    "system": system,
                    "query_id": query["query_id"],
                    "group": query["group"],
                    "failure": failure_class(index, ranked[:JUDGED], entries[:JUDGED], gold, provenance),
                    "anchor_recall": reached if staged else None,
                    **_final(index, ranked, gold),
                    **_correct(index, ranked, gold, texts),
                    **{f"ProvRec@{k}": float(np.isin(provenance, ranked[:k]).mean()) for k in DEPTHS},
                    **_answered(index, ranked, gold, query["answer"], types),
                }
            )
    # Without any failure, polars would not know the type of the column.
    return pl.DataFrame(rows, schema_overrides={"failure": pl.String}, infer_schema_length=None)


def summarise(rows: pl.DataFrame) -> dict[str, dict[str, Any]]:
    """Return the measures of each system over its questions.

    Returns
    -------
    dict
        By system: `queries`; the means `mean_rank`, `mrr` and ProvRec@k; each rate as mean, low, high
        (Wilson, 95 %) and n; `failures`, from `failures`; `factors`, from `factors`.

    """
    rates = [name for name, dtype in rows.schema.items() if dtype in (pl.Boolean, pl.Null)]
    rates = [name for name in rates if name not in ("group", "failure")]
    result: dict[str, dict[str, Any]] = {}
    for (system,), own in rows.group_by("system", maintain_order=True):
        result[str(system)] = {
            "queries": len(own),
            "mean_rank": own["rank"].mean(),
            "mrr": own["mrr"].mean(),
            **{name: own[name].mean() for name in own.columns if name.startswith("ProvRec@")},
            **{name: _rate(own[name].drop_nulls()) for name in rates},
            "failures": failures(own["failure"]),
            "factors": factors(own["failure"]),
        }
    return result


def by_group(rows: pl.DataFrame) -> dict[str, dict[str, dict[str, Any]]]:
    """Return `summarise` for the questions of each group, by group name; empty if no question has a group."""
    return {
        str(group): summarise(own)
        for (group,), own in rows.drop_nulls("group")
        .sort("group", maintain_order=True)
        .group_by("group", maintain_order=True)
    }


def _scopes(index: DomainIndex, rows: IntArray) -> IntArray:
    scopes = index.scopes.of[rows]
    return scopes[scopes >= 0]


def _final(index: DomainIndex, ranked: IntArray, gold: IntArray) -> Mapping[str, Any]:
    final = final_event(index.order, gold, index.times)
    place = np.flatnonzero(ranked == final)
    rank = int(place[0]) + 1 if len(place) else len(index.documents) + 1
    return {
        "rank": rank,
        "mrr": 1 / rank,
        **{f"hit@{k}": final_event_hit(ranked[:k], final) for k in sorted({*HITS, *DEPTHS})},
    }


def _correct(index: DomainIndex, ranked: IntArray, gold: IntArray, texts: IntArray) -> Mapping[str, bool]:
    order = index.order
    result: dict[str, bool] = {}
    for k in DEPTHS:
        shown = ranked[:k]
        result[f"TCA@{k}"] = tca(order, shown, gold)
        result[f"TCA_equal_text@{k}"] = tca(order, shown, gold, texts)
        result[f"closure_violation@{k}"] = not closed(order, shown)
        result[f"document_hit@{k}"] = document_hit(order, shown, gold)
        result[f"equal_text_hit@{k}"] = equal_text_hit(order, shown, gold, texts)
    return result


def _answered(
    index: DomainIndex, ranked: IntArray, gold: IntArray, expected: str | None, types: list[str]
) -> Mapping[str, bool | None]:
    if expected is None or not index.domain.answers:
        names = ("answer_correct", "answer_and_direct_closure")
        return {f"{name}@{k}": None for k in DEPTHS for name in names}
    result = {}
    for k in DEPTHS:
        own = ranked[:k][np.isin(index.scopes.of[ranked[:k]], _scopes(index, gold))]
        derived = derive_answer(index.order, own, types, index.domain)
        result[f"answer_correct@{k}"] = derived == expected
        result[f"answer_and_direct_closure@{k}"] = answer_and_direct_closure(
            index.order, own, index.times, derived, expected
        )
    return result


def _rate(values: pl.Series) -> dict[str, Any] | None:
    """Return a share with its 95 % interval (Wilson 1927), or None if there are no values."""
    if not len(values):
        return None
    interval = binomtest(int(values.sum()), len(values)).proportion_ci(method="wilson")
    return {"mean": values.mean(), "low": float(interval.low), "high": float(interval.high), "n": len(values)}
