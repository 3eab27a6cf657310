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
from rulerank.errors import InputError, nearest

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


def check_fit(documents: pl.DataFrame, domain: Domain, source: Path | str) -> list[str]:
    """Return, as sentences, which types of the domain no document has and which documents lack a scope key.

    Documents that lack one are retrieved like any other but supersede nothing. Documents of types that the
    domain does not name may be present and may lack anything.

    Raises
    ------
    InputError
        No document is of an anchor type, none is of a superseding type, or none has one of the scope keys of
        the domain or of a rule between types that occur.

    """
    types = documents["type"].unique().sort().to_list()
    for name in ("anchor_type", "superseding_type"):
        wanted = getattr(domain, name)
        if not set(wanted) & set(types):
            raise _misfit(
                source, f"{name}: expected documents of type {' or '.join(wanted)}", wanted[0], types
            )
    problems = [
        f"no document is of type {name!r}, which the domain names; the nearest is {nearest(name, types)!r}"
        for name in domain.types
        if name not in types
    ]
    scopes = documents["scope"].struct
    present = [key for key in scopes.fields if scopes.field(key).null_count() < len(documents)]
    applied = [rule for rule in domain.rules if {rule.later, rule.earlier} <= set(types)]
    keys = dict.fromkeys((*domain.scope_keys, *(key for rule in applied for key in rule.scope_keys)))
    for key in keys:
        if key not in present:
            raise _misfit(source, f"scope key {key!r}: expected in the scope of documents", key, present)
    governed = documents.filter(pl.col("type").is_in(domain.types))
    lacking = {key: governed.filter(pl.col("scope").struct.field(key).is_null()) for key in keys}
    return problems + [
        f"{len(rows)} of {len(governed)} documents lack scope key {key!r}; the first is {rows.item(0, 0)!r}"
        for key, rows in lacking.items()
        if len(rows)
    ]


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


def _misfit(source: Path | str, expected: str, wanted: str, present: list[str]) -> InputError:
    near = f"; the nearest is {nearest(wanted, present)}" if present else ""
    return InputError(
        source,
        f"{expected}, found only {', '.join(present) or 'none'}{near}. Correct the domain or the documents.",
    )
