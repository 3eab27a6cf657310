"""The documents that a rule relates within a scope, kept sorted by time while they come and go."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter

from rulerank.authority.domain import Rule

Timed = tuple[datetime, str]
"""A document's time under a rule, and its id."""

_TIME = itemgetter(0)


@dataclass(frozen=True)
class Document:
    """The properties of a document that decide supersession.

    Parameters
    ----------
    document_id, type : str
        The id; the type as in the domain.
    timestamp : datetime or None
        Without a zone; None where unknown.
    scope : mapping of str to str or None
        The scope values, normalised; a missing key counts as None.

    """

    document_id: str
    type: str
    timestamp: datetime | None
    scope: Mapping[str, str | None]


@dataclass
class Side:
    """Documents sorted by time."""

    rows: list[Timed] = field(default_factory=list)

    @property
    def newest(self) -> datetime:
        """The latest time, or the earliest possible one if there is no document."""
        return self.rows[-1][0] if self.rows else datetime.min

    def from_on(self, time: datetime) -> int:
        """Return the place of the first document that is not before `time`."""
        return bisect_left(self.rows, time, key=_TIME)

    def after(self, time: datetime) -> int:
        """Return the place of the first document that is later than `time`."""
        return bisect_right(self.rows, time, key=_TIME)

    def add(self, time: datetime, name: str) -> None:
        """Put a document in its place."""
        insort(self.rows, (time, name), key=_TIME)

    def remove(self, time: datetime, name: str) -> None:
        """Take a document out."""
        del self.rows[self.rows.index((time, name), self.from_on(time))]


@dataclass(frozen=True)
class Sides:
    """The documents of one scope that can supersede by a rule, and those that can be superseded."""

    later: Side = field(default_factory=Side)
    earlier: Side = field(default_factory=Side)


class Related:
    """The sides of every rule by scope.

    Parameters
    ----------
    rules : sequence of Rule
        The rules of a domain.

    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules: list[tuple[Rule, dict[tuple[str | None, ...], Sides]]] = [(rule, {}) for rule in rules]

    def as_later(self, document: Document) -> Iterator[tuple[Sides, datetime]]:
        """Yield the sides by which a document can supersede; without a timestamp it counts as the latest."""
        for rule, scopes in self._rules:
            if rule.later == document.type and (sides := _sides(rule, scopes, document)) is not None:
                yield sides, document.timestamp or datetime.max

    def as_earlier(self, document: Document) -> Iterator[tuple[Sides, datetime]]:
        """Yield the sides by which it can be superseded; without a timestamp it counts as the earliest."""
        for rule, scopes in self._rules:
            if rule.earlier == document.type and (sides := _sides(rule, scopes, document)) is not None:
                yield sides, document.timestamp or datetime.min


def _sides(rule: Rule, scopes: dict[tuple[str | None, ...], Sides], document: Document) -> Sides | None:
    """Return the sides of a rule in a document's scope; None if the rule cannot relate the document."""
    scope = tuple(document.scope.get(key) for key in rule.scope_keys)
    if None in scope or (rule.later == rule.earlier and document.timestamp is None):
        return None
    return scopes.setdefault(scope, Sides())
