"""Supersession over documents that come and go, one by one.

A rule relates the later documents of a scope to the earlier ones by time alone. So both sides are kept sorted
by time: the documents that void a document are the end of one list, and those it voids are the beginning of
another. Nothing else is stored, and nothing has to be undone when a document goes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

import polars as pl

from rulerank.authority.domain import Domain, Rule
from rulerank.authority.sides import Document, Related
from rulerank.errors import InputError


class LiveOrder:
    """The order of `rulerank.authority.rules.supersession`, kept while documents are inserted and withdrawn.

    Inserting or withdrawing a document takes a binary search and a move within a list for each rule. Telling
    whether a document is superseded takes a look at the end of a list for each rule. Closures and frontiers
    are looked up in time linear in the closure. All ids asked for must be present.

    Parameters
    ----------
    domain : Domain
        The rules; for several authorities, their `joint_domain`.

    """

    def __init__(self, domain: Domain) -> None:
        self._related = Related(domain.rules)
        self._documents: dict[str, Document] = {}
        self._may_circle = _may_circle(domain.rules)

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
        # Oldest first: the newest document is appended, while any other would move newer ones.
        for row in documents.select(columns).sort("timestamp", maintain_order=True).iter_rows():
            order.insert(Document(*row))
        return order

    def insert(self, document: Document) -> list[str]:
        """Add a document, and return the documents in force that it voids.

        Raises
        ------
        InputError
            The id is there already, or a document would supersede itself; nothing is added.

        """
        name = document.document_id
        if name in self._documents:
            raise InputError("insert", f"expected a new id, found {name!r} again. Withdraw it first.")
        voided = self._topped(document)
        self._documents[name] = document
        for sides, time in self._related.as_later(document):
            sides.later.add(time, name)
        for sides, time in self._related.as_earlier(document):
            sides.earlier.add(time, name)
        if self._may_circle and name in self.superseders([name]):
            self.withdraw(name)
            raise InputError(
                "insert",
                f"supersession is circular: {name!r} would supersede itself. Correct its type, scope or "
                "timestamp, or the domain's rules.",
            )
        return voided

    def withdraw(self, document_id: str) -> list[str]:
        """Remove a document, and return the documents that are in force again without it.

        Raises
        ------
        InputError
            There is no such document.

        """
        if document_id not in self._documents:
            raise InputError(
                "withdraw", f"expected the id of a document, found {document_id!r}. Insert it first."
            )
        document = self._documents.pop(document_id)
        for sides, time in self._related.as_later(document):
            sides.later.remove(time, document_id)
        for sides, time in self._related.as_earlier(document):
            sides.earlier.remove(time, document_id)
        return self._topped(document)

    def superseded(self, document_id: str) -> bool:
        """Return whether anything supersedes a document."""
        document = self._documents[document_id]
        return any(sides.later.newest > time for sides, time in self._related.as_earlier(document))

    def superseders(self, document_ids: Iterable[str]) -> set[str]:
        """Return the documents that supersede any of `document_ids`, directly or not."""
        found: set[str] = set()
        walked: dict[int, int] = {}
        waiting = list(document_ids)
        while waiting:
            for sides, time in self._related.as_earlier(self._documents[waiting.pop()]):
                start = sides.later.after(time)
                # Documents later than an earlier start have been walked already.
                end = walked.get(id(sides), len(sides.later.rows))
                walked[id(sides)] = min(start, end)
                fresh = [name for _, name in sides.later.rows[start:end] if name not in found]
                found.update(fresh)
                waiting.extend(fresh)
        return found

    def closure(self, document_ids: Iterable[str]) -> set[str]:
        """Return cl(document_ids)."""
        members = set(document_ids)
        return members | self.superseders(members)

    def front(self, document_ids: Iterable[str]) -> set[str]:
        """Return front(document_ids)."""
        members = set(document_ids)
        return {
            each
            for each in members
            if not (self.superseded(each) and not members.isdisjoint(self.superseders([each])))
        }

    def controlling(self, document_ids: Iterable[str]) -> set[str]:
        """Return front(cl(document_ids)): what the closure holds and nothing supersedes."""
        return {each for each in self.closure(document_ids) if not self.superseded(each)}

    def _topped(self, document: Document) -> list[str]:
        """Return the documents in force that a document would void if it were there."""
        found: dict[str, None] = {}
        for sides, time in self._related.as_later(document):
            start, end = sides.earlier.from_on(sides.later.newest), sides.earlier.from_on(time)
            for _, name in sides.earlier.rows[start:end]:
                if not self.superseded(name):
                    found[name] = None
        return list(found)


def _may_circle(rules: Sequence[Rule]) -> bool:
    """Return whether types void one another in a circle; a rule within one type is ordered by time."""
    below: dict[str, set[str]] = {}
    for rule in rules:
        if rule.later != rule.earlier:
            below.setdefault(rule.later, set()).add(rule.earlier)
    try:
        TopologicalSorter(below).prepare()
    except CycleError:
        return True
    return False
