"""Lead-ins whose items are passages of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulerank.answer.claims import Quote
from rulerank.answer.law import Changed, Law
from rulerank.answer.readings import reworded
from rulerank.obligations import Modality, Statement, open_ended, statements, without_heading
from rulerank.passages import Passage

_GOES_ON = re.compile(r"[;,](?: (?:and/or|and|or))?\s*$")
"""The end of an item that others follow."""


@dataclass(frozen=True)
class LeadIn:
    """The last statement of a rule, which its items complete.

    Parameters
    ----------
    changed : Changed
        The rule.
    passage : Passage
        The passage in whose words it stands.
    statement : Statement
        The lead-in there.

    """

    changed: Changed
    passage: Passage
    statement: Statement

    @property
    def quotes(self) -> list[Quote]:
        """Where the passage says it."""
        return [Quote(self.passage.passage_id, span.start, span.end) for span in self.statement.spans]

    @property
    def text(self) -> str:
        """What it says today."""
        return reworded(self.statement.text, self.changed.readings)

    def modality_of(self, item: str, alone: Modality | None) -> Modality | None:
        """Return what an item states under the lead-in, from its text and what it states alone.

        "must ensure that:" and "help is given that the auditor may require" permit nothing together.
        """
        together = [each.modality for each in statements(f"{self.text} {item}") if each.modality]
        return alone if not together or alone in together else together[0]


def lead_ins(law: Law, passage_id: str) -> Iterator[LeadIn]:
    """Yield the lead-in of an item as it stands today, then the one that this completes, and so on.

    There is none if no separate passage leads into the item.
    """
    while opening := _lead_in(law, passage_id):
        yield opening
        if not is_item(opening.statement, opening.passage):
            return
        passage_id = opening.changed.rule.passage_id


def modality_under(openings: Iterable[LeadIn], item: str, alone: Modality | None) -> Modality | None:
    """Return what an item states under its lead-ins, innermost first; `alone` is what it states without."""
    for opening in openings:
        alone = opening.modality_of(item, alone)
        item = f"{opening.text} {item}"
    return alone


def _lead_in(law: Law, passage_id: str) -> LeadIn | None:
    parent = law.passages.get(law.parents.get(passage_id, ""))
    if parent is None:
        return None
    changed = law.changed(parent.passage_id) or Changed(parent, parent)
    leading = [each for each in statements(changed.version.text) if introduces_items(each.text)]
    return LeadIn(changed, changed.version, leading[-1]) if leading else None


def introduces_items(text: str) -> bool:
    """Whether a statement ends as one that items complete."""
    return text[-1] in ":—–-,"


def is_item(statement: Statement, passage: Passage, openings: Sequence[LeadIn] = ()) -> bool:
    """Whether a statement of a passage completes a lead-in, the first of `openings` if it is known.

    Items may begin with a capital letter: then they are the first words of a passage, and state nothing alone
    unless it ends like an item, "How often a fee may be charged;", or the lead-in asks or permits something,
    or makes a condition of them: "if: The firm must pay a fee".
    """
    if statement.text[0].islower() or statement.text[0] in "(•·–-":
        return True
    first = without_heading(statements(passage.text))[0]
    completes = (
        first.modality is None
        or _GOES_ON.search(passage.text) is not None
        or any(each.statement.modality or open_ended(each.text) for each in openings[:1])
    )
    return completes and statement.spans[0] == first.spans[0]
