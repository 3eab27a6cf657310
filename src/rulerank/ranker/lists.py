"""Lists whose items are passages of their own, below a passage that leads into them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from rulerank.answer.law import items_naming
from rulerank.bundle import Bundle
from rulerank.obligations import inseparable, statements, unfinished, without_heading
from rulerank.passages import Passage

LEADING = ":—–"
"""The last characters of a lead-in whose items are passages of their own."""

MOST = 8
"""The most items that are stated together."""


class ItemLists:
    """The lists of a corpus.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    rows : mapping of str to int
        The row of each passage by its id.

    """

    def __init__(self, bundle: Bundle, rows: Mapping[str, int]) -> None:
        self._bundle = bundle
        self._rows = rows

    def lead_in(self, passage_id: str) -> str | None:
        """Return the lead-in that a passage is an item of, if there is one."""
        row = self._rows.get(passage_id, -1)
        parent = int(self._bundle.index.around.parents[row]) if row >= 0 else -1
        return self._bundle.passages["passage_id"][parent] if parent >= 0 and self._leads(parent) else None

    def lead_ins(self, passage_id: str) -> Iterator[tuple[str, str]]:
        """Yield an item and its lead-in, then that and its own, and so on."""
        while parent := self.lead_in(passage_id):
            yield passage_id, parent
            passage_id = parent

    def inseparable(self, passage_id: str) -> Sequence[str]:
        """Return the items of a lead-in if they may not be stated without one another, and are few."""
        items = [each for each in self._items(passage_id) if each.text.strip()]
        if not items or len(items) > MOST or any(_leads(each.text) for each in items):
            return ()
        (passage,) = self._bundle.passages_of([self._rows[passage_id]])
        lead = statements(passage.text)[-1].text
        listed = [" ".join(each.text.split()) for each in items]
        return [each.passage_id for each in items] if inseparable(lead, listed) else ()

    def below(self, passage_id: str) -> Sequence[str]:
        """Return the items of a lead-in, each followed by its own."""
        items = (each.passage_id for each in self._items(passage_id))
        return [below for each in items for below in (each, *self.below(each))]

    def only_leads(self, passage_id: str) -> bool:
        """Whether a passage is a lead-in that says nothing without its items: "The master must:"."""
        row = self._rows.get(passage_id, -1)
        if row < 0 or not self._leads(row):
            return False
        said = without_heading(statements(self._bundle.passages["text"][row]))
        return len(said) == 1 and unfinished(said[0].text)

    def naming(self, rule_id: str, lead_id: str) -> Sequence[str]:
        """Return the items of a list, given by its lead-in, that name the document of a rule."""
        rule, documents = self._rows[rule_id], self._bundle.passages["document_id"]
        if documents[rule] == documents[self._rows[lead_id]]:
            return ()
        (of_rule,) = self._bundle.passages_of([rule])
        return [each.passage_id for each in items_naming(of_rule.document, self._items(lead_id))]

    def _items(self, passage_id: str) -> Sequence[Passage]:
        """Return the passages that are items of a lead-in."""
        row = self._rows.get(passage_id, -1)
        if row < 0 or not self._leads(row):
            return ()
        return self._bundle.passages_of(np.flatnonzero(self._bundle.index.around.parents == row).tolist())

    def _leads(self, row: int) -> bool:
        return _leads(self._bundle.passages["text"][row])


def _leads(text: str) -> bool:
    return text.rstrip()[-1:] in tuple(LEADING)
