"""The order of supersession, from documents and the rules of a domain.

A rule relates every later document of a scope to every earlier one, which would be quadratic in the scope.
Instead, the earlier documents of a scope form a ladder, one rung each, oldest first. A rung leads up to the
next rung, and each superseding document is attached to the newest rung that it is later than. The documents
above a document are the same, and the number of edges is linear in the documents.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.authority.domain import Domain, Rule
from rulerank.authority.scopes import UNDATED, index_scopes, instants
from rulerank.authority.supersession import Supersession, order_by_edges

_NEWEST = np.iinfo(np.int64).max


def supersession(documents: pl.DataFrame, domain: Domain, source: Path | str) -> Supersession:
    """Order documents by the rules of a domain.

    Of two documents that both have a timestamp, only the strictly later can supersede. If one has none, the
    rule alone decides, except between documents of one type, which only time can tell apart.

    Parameters
    ----------
    documents : polars.DataFrame
        document_id, type, timestamp (null where unknown), scope (struct of strings, null where missing).
    domain : Domain
        The rules.
    source : path or str
        Where the documents come from, named in errors.

    Raises
    ------
    InputError
        A document would supersede itself; the loop is named.

    """
    superseders, superseded, rungs = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for rule in domain.rules:
        above, below, count = _ladder(documents, rule, len(documents) + rungs)
        superseders.append(above)
        superseded.append(below)
        rungs += count
    names = documents["document_id"].to_list()
    return order_by_edges(np.concatenate(superseders), np.concatenate(superseded), names, source, rungs)


def _ladder(documents: pl.DataFrame, rule: Rule, start: int) -> tuple[IntArray, IntArray, int]:
    """Return the edges of one rule as upper and lower nodes, and how many rungs it has from `start` on."""
    scopes = index_scopes(documents, rule.scope_keys).of
    types, times = documents["type"], documents["timestamp"]
    scoped = scopes >= 0
    if rule.later == rule.earlier:
        scoped &= times.is_not_null().to_numpy()
    later = np.flatnonzero((types == rule.later).to_numpy() & scoped)
    earlier = np.flatnonzero((types == rule.earlier).to_numpy() & scoped)
    rows = np.concatenate([later, earlier])
    is_earlier = np.arange(len(rows)) >= len(later)
    # Without a timestamp a superseder counts as the latest, and a document that it voids as the earliest.
    dated = instants(times)
    time = np.concatenate([np.where(dated == UNDATED, _NEWEST, dated)[later], dated[earlier]])
    # At equal times the superseder sorts first: it is not later than what follows it.
    order = np.lexsort((is_earlier, time, scopes[rows]))
    rows, is_earlier = rows[order], is_earlier[order]
    ends = np.cumsum(is_earlier)
    begins = np.concatenate([[0], ends])[np.searchsorted(scopes[rows], scopes[rows])]
    hung = ~is_earlier & (ends > begins)
    highest = np.zeros(len(rows) + 1, np.int64)
    np.maximum.at(highest, begins[hung], ends[hung])
    # Rungs are numbered in the order of the earlier documents; those above all superseders are left out.
    used = is_earlier & (ends <= highest[begins])
    rungs = start + ends - 1
    climbs = used & (ends < highest[begins])
    upper = np.concatenate([rows[hung], rungs[used], rungs[climbs] + 1])
    lower = np.concatenate([rungs[hung], rows[used], rungs[climbs]])
    return upper, lower, int(is_earlier.sum())
