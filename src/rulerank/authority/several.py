"""Several authorities over one corpus: each with its own types, scope keys and rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.authority.domain import Domain
from rulerank.authority.scopes import ScopeIndex, index_scopes
from rulerank.errors import InputError


@dataclass(frozen=True, eq=False)
class JointScopes(ScopeIndex):
    """The scopes of several authorities, numbered one authority after the other.

    Parameters
    ----------
    parts : tuple of ScopeIndex
        The index of each authority; documents that it does not govern have no scope there.

    """

    parts: tuple[ScopeIndex, ...]

    def given(self, scope: Mapping[str, str | None]) -> list[int]:
        """Return the scopes of every authority that agree with the keys in `scope` that it knows."""
        return [start + number for start, part in self._numbered() for number in part.given(scope)]

    def named(self, question: str) -> list[int]:
        """Return the scopes of every authority all of whose values occur in `question`."""
        return [start + number for start, part in self._numbered() for number in part.named(question)]

    def _numbered(self) -> Iterator[tuple[int, ScopeIndex]]:
        start = 0
        for part in self.parts:
            yield start, part
            start += len(part.values)


def joint_scopes(documents: pl.DataFrame, domains: Sequence[Domain]) -> JointScopes:
    """Index each document by the scope keys of the authority that its type belongs to.

    Parameters
    ----------
    documents : polars.DataFrame
        With the columns type and scope.
    domains : sequence of Domain
        As `joint_domain` takes them.

    """
    parts: list[ScopeIndex] = []
    of = np.full(len(documents), -1, np.int64)
    for domain in domains:
        governed = documents["type"].is_in(domain.types)
        own = documents.with_columns(
            scope=pl.when(governed).then(pl.col("scope")),
        )
        part = index_scopes(own, domain.scope_keys)
        start = sum(len(each.values) for each in parts)
        of = np.where(part.of >= 0, start + part.of, of)
        parts.append(part)
    values = [each for part in parts for each in part.values]
    return JointScopes((), values, of, tuple(parts))


def joint_domain(domains: Sequence[Domain]) -> Domain:
    """Return one domain whose order is the union of the orders of several.

    A document is closed under every authority, and in force if no authority voids it (CAR, Definition 8).

    Raises
    ------
    InputError
        Two domains name the same type, so that the authority of a document is unclear.

    """
    named = Counter(name for domain in domains for name in domain.types)
    twice = [name for name, count in named.items() if count > 1]
    if twice:
        raise InputError(
            "--domain",
            f"expected domains without a common type, found {twice[0]!r} in several. Make it one domain with "
            "a scope key that names the authority.",
        )
    return Domain(
        anchor_type=tuple(each for domain in domains for each in domain.anchor_type),
        superseding_type=tuple(each for domain in domains for each in domain.superseding_type),
        scope_keys=tuple(dict.fromkeys(key for domain in domains for key in domain.scope_keys)),
        rules=tuple(rule.model_dump() for domain in domains for rule in domain.rules),
        answers=tuple(answer for domain in domains for answer in domain.answers),
    )
