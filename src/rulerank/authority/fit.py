"""Whether documents and questions fit a domain: its types and its scope keys."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from rulerank.authority.domain import Domain
from rulerank.errors import InputError, nearest


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


def unread_keys(queries: pl.DataFrame, domains: Sequence[Domain]) -> list[str]:
    """Return, as sentences, which scope keys questions give that no domain names: they would not be read.

    Parameters
    ----------
    queries : polars.DataFrame
        With the column scope, a JSON object.
    domains : sequence of Domain
        At least one.

    """
    known = [key for domain in domains for key in domain.keys]
    given = Counter(key for scope in queries["scope"] for key in json.loads(scope))
    return [
        f"{count} of {len(queries)} questions give scope key {key!r}, which no domain names; the nearest is "
        f"{nearest(key, known)!r}"
        for key, count in given.items()
        if key not in known
    ]


def _misfit(source: Path | str, expected: str, wanted: str, present: list[str]) -> InputError:
    near = f"; the nearest is {nearest(wanted, present)}" if present else ""
    return InputError(
        source,
        f"{expected}, found only {', '.join(present) or 'none'}{near}. Correct the domain or the documents.",
    )
