"""From documents and an adapter's rules to the order of supersession.

A rule relates every later document of a scope to every earlier one, which would be quadratic in the scope.
So the earlier documents of a scope are put on a ladder, one rung each, oldest first: a rung leads up to the
next rung, and each superseding document is hung from the newest rung that it is later than. What lies above a
document is then the same, with edges linear in the documents.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.authority.adapter import Adapter, Rule
from rulerank.authority.scopes import UNDATED, index_scopes, instants
from rulerank.authority.supersession import Supersession, order_by_edges
from rulerank.errors import InputError, nearest

_NEWEST = np.iinfo(np.int64).max


def supersession(documents: pl.DataFrame, adapter: Adapter, source: Path | str) -> Supersession:
    """Order documents by the rules of a domain.

    Of two documents that both have a timestamp, only the strictly later can supersede. Where one has none,
    the rule alone decides, except between documents of one type: there time is all that could.

    Parameters
    ----------
    documents : polars.DataFrame
        document_id, type, timestamp (null where unknown), scope (struct of strings, null where missing).
    adapter : Adapter
        The rules.
    source : path or str
        Where the documents come from, for errors.

    Raises
    ------
    InputError
        A document would supersede itself; the loop is named.

    """
    superseders, superseded, rungs = [np.empty(0, np.int64)], [np.empty(0, np.int64)], 0
    for rule in adapter.rules:
        above, below, count = _ladder(documents, rule, len(documents) + rungs)
        superseders.append(above)
        superseded.append(below)
        rungs += count
    names = documents["document_id"].to_list()
    return order_by_edges(np.concatenate(superseders), np.concatenate(superseded), names, source, rungs)


def check_fit(documents: pl.DataFrame, adapter: Adapter, source: Path | str) -> list[str]:
    """Return, as sentences, which types the adapter names in vain and which documents lack a scope key.

    Documents that lack one are retrieved like any other but supersede nothing. Documents of types that the
    adapter does not name are free to be there and to lack anything.

    Raises
    ------
    InputError
        No document is of an anchor type, or of a superseding type, or has one of the scope keys.

    """
    found = documents["type"].unique().sort().to_list()
    for name in ("anchor_type", "superseding_type"):
        wanted = getattr(adapter, name)
        if not set(wanted) & set(found):
            raise _misfit(
                source, f"{name}: expected documents of type {' or '.join(wanted)}", wanted[0], found
            )
    problems = [
        f"no document is of type {name!r}, which the adapter names; the nearest is {nearest(name, found)!r}"
        for name in adapter.types
        if name not in found
    ]
    scopes = documents["scope"].struct
    present = [key for key in scopes.fields if scopes.field(key).null_count() < len(documents)]
    for key in adapter.keys:
        if key not in present:
            raise _misfit(source, f"scope key {key!r}: expected in the scope of documents", key, present)
    governed = documents.filter(pl.col("type").is_in(adapter.types))
    lacking = {key: governed.filter(pl.col("scope").struct.field(key).is_null()) for key in adapter.keys}
    return problems + [
        f"{len(rows)} of {len(governed)} documents lack scope key {key!r}; the first is {rows.item(0, 0)!r}"
        for key, rows in lacking.items()
        if len(rows)
    ]


def _ladder(documents: pl.DataFrame, rule: Rule, start: int) -> tuple[IntArray, IntArray, int]:
    """Return the edges of one rule as upper and lower nodes, and how many rungs they use from `start` on."""
    scopes = index_scopes(documents, rule.scope_keys).of
    types, times = documents["type"], documents["timestamp"]
    scoped = scopes >= 0
    if rule.later == rule.earlier:
        scoped &= times.is_not_null().to_numpy()
    later = np.flatnonzero((types == rule.later).to_numpy() & scoped)
    earlier = np.flatnonzero((types == rule.earlier).to_numpy() & scoped)
    rows = np.concatenate([later, earlier])
    is_earlier = np.arange(len(rows)) >= len(later)
    # Without a timestamp a superseder is later than all, and what it voids earlier than all.
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
    # Rungs are numbered as the earlier documents are sorted; those above all superseders are left out.
    used = is_earlier & (ends <= highest[begins])
    rungs = start + ends - 1
    climbs = used & (ends < highest[begins])
    upper = np.concatenate([rows[hung], rungs[used], rungs[climbs] + 1])
    lower = np.concatenate([rungs[hung], rows[used], rungs[climbs]])
    return upper, lower, int(is_earlier.sum())


def _misfit(source: Path | str, expected: str, wanted: str, found: list[str]) -> InputError:
    near = f"; the nearest is {nearest(wanted, found)}" if found else ""
    came = ", ".join(found) or "none"
    return InputError(source, f"{expected}, found only {came}{near}. Correct the adapter or the documents.")
