"""Supersession over documents that come and go, one by one.

A rule relates the later documents of a scope to the earlier ones by time alone, so that both sides are kept
sorted by time: what voids a document is the end of one list, what it voids the beginning of another. Nothing
else is stored, and nothing has to be undone when a document goes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from pathlib import Path

import polars as pl

from rulerank.authority.domain import Domain, Rule
from rulerank.errors import InputError

_Timed = tuple[datetime, str]
_TIME = itemgetter(0)


@dataclass(frozen=True)
class Document:
    """What decides about supersession.

    Parameters
    ----------
    document_id, type : str
        The id; the type as in the domain.
    timestamp : datetime or None
        Without a zone; None where unknown.
    scope : mapping of str to str or None
        The scope values, normalised; a missing key is one with None.

    """

    document_id: str
    type: str
    timestamp: datetime | None
    scope: Mapping[str, str | None]


@dataclass(frozen=True)
class _Sides:
    """The documents that one rule relates within one scope, sorted by time."""

    later: list[_Timed] = field(default_factory=list)
    earlier: list[_Timed] = field(default_factory=list)


class LiveOrder:
    """The order of `rulerank.authority.rules.supersession`, kept while documents are inserted and withdrawn.

    Inserting or withdrawing a document takes a binary search in, and a move within, one list per rule; whether
    a document is superseded, a look at the end of one list per rule.

    Parameters
    ----------
    domain : Domain
        The rules; of several authorities, the `joint_domain`.

    """

    def __init__(self, domain: Domain) -> None:
        self._rules = domain.rules
        self._sides: list[dict[tuple[str, ...], _Sides]] = [{} for _ in domain.rules]
        self._documents: dict[str, Document] = {}
        self._may_circle = _circular(domain.rules)

    def __len__(self) -> int:
        return len(self._documents)

    def __contains__(self, document_id: object) -> bool:
        return document_id in self._documents

    @classmethod
    def of(cls, documents: pl.DataFrame, domain: Domain) -> LiveOrder:
        """Return the order over a documents table of `rulerank.corpora.authority`.

        Raises
        ------
        InputError
            An id is repeated, or supersession is circular.

        """
        order = cls(domain)
        columns = ("document_id", "type", "timestamp", "scope")
        # The newest is appended where any other would move what is newer.
        for row in documents.select(columns).sort("timestamp", maintain_order=True).iter_rows():
            order.insert(Document(*row))
        return order

    def insert(self, document: Document) -> None:
        """Add a document.

        Raises
        ------
        InputError
            The id is there already, or the document would supersede itself; it is not added.

        """
        name = document.document_id
        if name in self._documents:
            raise InputError("insert", f"expected a new id, found {name!r} again. Withdraw it first.")
        self._documents[name] = document
        for place, side in self._places(document):
            insort(side, place, key=_TIME)
        if self._may_circle and name in self.superseders([name]):
            self.withdraw(name)
            raise InputError(
                "insert", f"supersession is circular: {name} would supersede itself. Correct its timestamp."
            )

    def withdraw(self, document_id: str) -> None:
        """Remove a document.

        Raises
        ------
        InputError
            There is no such document.

        """
        document = self._known(document_id)
        for place, side in self._places(document):
            start = bisect_left(side, place[0], key=_TIME)
            del side[side.index(place, start)]
        del self._documents[document_id]

    def superseded(self, document_id: str) -> bool:
        """Return whether anything supersedes a document."""
        return any(sides.later and sides.later[-1][0] > time for sides, time in self._below(document_id))

    def superseders(self, document_ids: Iterable[str]) -> set[str]:
        """Return the documents that supersede any of `document_ids`, directly or not."""
        return self._reach(document_ids, self._directly_above)

    def voided(self, document_ids: Iterable[str]) -> set[str]:
        """Return the documents that any of `document_ids` supersedes, directly or not."""
        return self._reach(document_ids, self._directly_below)

    def closure(self, document_ids: Iterable[str]) -> set[str]:
        """Return cl(document_ids)."""
        members = set(document_ids)
        return members | self.superseders(members)

    def front(self, document_ids: Iterable[str]) -> set[str]:
        """Return front(document_ids)."""
        members = set(document_ids)
        return {each for each in members if not (self.superseded(each) and self.superseders([each]) & members)}

    def controlling(self, document_ids: Iterable[str]) -> set[str]:
        """Return front(cl(document_ids)): the documents in force among all that the closure holds."""
        return {each for each in self.closure(document_ids) if not self.superseded(each)}

    def _directly_above(self, document_id: str) -> Iterator[str]:
        for sides, time in self._below(document_id):
            for place in range(bisect_right(sides.later, time, key=_TIME), len(sides.later)):
                yield sides.later[place][1]

    def _directly_below(self, document_id: str) -> Iterator[str]:
        for sides, time in self._above(document_id):
            for place in range(bisect_left(sides.earlier, time, key=_TIME)):
                yield sides.earlier[place][1]

    def _reach(self, starts: Iterable[str], step: Callable[[str], Iterator[str]]) -> set[str]:
        seen: set[str] = set()
        waiting = list(starts)
        while waiting:
            for each in step(waiting.pop()):
                if each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return seen
