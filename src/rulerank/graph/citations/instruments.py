"""Texts that revoke other documents as a whole: "The Pilot Rules 2015 are revoked"."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from rulerank.graph.citations.grammar import Grammar
from rulerank.text import visible

_LIST = re.compile(r",? and (?:the )?|, (?:the )?")


class Instruments:
    """Finds the documents that a text revokes.

    A document is known by its whole title or one of its other names, if no other document has it: a wrong one
    would put every rule in it out of force.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.
    grammar : Grammar
        How its texts revoke documents.

    """

    def __init__(self, documents: pl.DataFrame, grammar: Grammar) -> None:
        self._revoked = [re.compile(pattern) for pattern in grammar.revoked]
        called: dict[str, set[str]] = {}
        for document, title, aliases in documents.select("document_id", "title", "aliases").iter_rows():
            for name in (title, *aliases):
                called.setdefault(_plain(name), set()).add(document)
        self._called = {name: next(iter(owners)) for name, owners in called.items() if len(owners) == 1}

    def revoked(self, text: str, document: str) -> Iterator[tuple[str, int, int]]:
        """Yield each other document that the text of a document revokes, with the span of the words."""
        for pattern in self._revoked:
            for match in pattern.finditer(text):
                for found in self._listed(match["name"]):
                    if found != document:
                        yield found, match.start("name"), match.end()

    def _listed(self, names: str) -> list[str]:
        """Return the documents of a list of names; none if a part of it is no name of one."""
        if whole := self._called.get(_plain(names)):
            return [whole]
        for join in _LIST.finditer(names):
            first = self._called.get(_plain(names[: join.start()]))
            if first and (others := self._listed(names[join.end() :])):
                return [first, *others]
        return []


def _plain(name: str) -> str:
    return " ".join(visible(name).split()).casefold().removeprefix("the ")
