"""Where a search for the controlling documents fails, and the factors whose product is its success rate."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.authority.index import DomainIndex
from rulerank.authority.tca import tca
from rulerank.authority.two_stage import chains_per_scope

JUDGED = 5
"""The k at which failures are classified."""


class Failure(StrEnum):
    """The first step that went wrong."""

    ANCHOR = "anchor missed"
    SCOPE = "scope missed"
    CLOSURE = "closure missed"


def failure_class(
    index: DomainIndex, shown: IntArray, entries: IntArray, gold: IntArray, provenance: IntArray
) -> Failure | None:
    """Return the first step that went wrong in a list, or None if TCA holds.

    Anchor missed: no entry is in a scope of `gold`. Scope missed: an entry is, but the list shows no document
    of the chain that `gold` belongs to, because another chain of this or another scope took its place.
    Closure missed: the list shows the chain, but not all of what is in force, or it shows a voided document
    without a superseder.

    Parameters
    ----------
    index : DomainIndex
        The documents.
    shown : array of int
        The first k documents of a list.
    entries : array of int
        What the search started from: the first k anchors, or the list itself for a single ranking.
    gold, provenance : arrays of int
        The judged documents, and all documents of their chain.

    """
    if tca(index.order, shown, gold):
        return None
    chain = np.union1d(gold, provenance)
    scopes = index.scopes.of[gold]
    inside = np.isin(index.scopes.of[entries], scopes[scopes >= 0])
    if not (inside | np.isin(entries, chain)).any():
        return Failure.ANCHOR
    return Failure.CLOSURE if np.isin(chain, shown).any() else Failure.SCOPE


def failures(classes: pl.Series) -> dict[str, int]:
    """Return how many questions failed at each step."""
    return {str(each): int((classes == str(each)).sum()) for each in Failure}


def factors(classes: pl.Series) -> dict[str, float | None]:
    """Return the three shares whose product is TCA (authority error factorisation, CAR, Proposition 1).

    `anchor` is the share of questions whose anchor was not missed; `scope` the share of these whose chain was
    not missed; `frontier` the share of these whose list is right. A share is None if no question got so far.
    """
    missed = failures(classes)
    left = len(classes)
    result: dict[str, float | None] = {}
    for name, step in zip(("anchor", "scope", "frontier"), Failure, strict=True):
        passed = left - missed[step]
        result[name] = passed / left if left else None
        left = passed
    return result


def chains(index: DomainIndex, queries: pl.DataFrame) -> dict[str, Any]:
    """Return how many chains share a judged scope, and how well a scope identifies its chain.

    `mean` and `mean_inverse` count chains by their documents in force. `identifiability` is the mean of phi
    over the questions: the number of documents of the question's chain divided by that of its scope, 1 at
    most (CAR, Definition 5). Anchor recall times identifiability bounds, in the worst case, a lookup that
    reads scopes and times but no rule (Proposition 2).
    """
    rows_of = {document: row for row, document in enumerate(index.documents["document_id"])}
    finals = np.array([rows_of[gold[-1]] for gold in queries["gold"].to_list()], np.int64)
    finals = finals[index.scopes.of[finals] >= 0]
    if not len(finals):
        return {}
    scopes = index.scopes.of[finals].tolist()
    counts = chains_per_scope(index.order, index.scopes, sorted(set(scopes)))
    values = np.array([counts[scope] for scope in scopes], np.float64)
    shares = [_identified(index, final, scope) for final, scope in zip(finals.tolist(), scopes, strict=True)]
    return {
        "mean": float(values.mean()),
        "mean_inverse": float((1 / values).mean()),
        "identifiability": float(np.mean(shares)),
    }


def _identified(index: DomainIndex, final: int, scope: int) -> float:
    chain = np.union1d(index.order.voided([final]), index.order.closure([final]))
    return min(1.0, len(chain) / len(index.scopes.members(scope)))
