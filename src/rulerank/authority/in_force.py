"""The law of a day: what had taken effect by then, and which parts of it later law had changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

import polars as pl

from rulerank.authority.commencement import amended_apart, appointed
from rulerank.authority.part import changes_part
from rulerank.authority.period import stated_since, stated_until
from rulerank.authority.promulgation import Beginning, article_of
from rulerank.authority.shown import in_force_above, order_of_passages
from rulerank.authority.supersession import Supersession


@dataclass(frozen=True)
class Voiding:
    """One passage that changes or repeals another.

    Parameters
    ----------
    by, of : str
        The ids of the two passages.
    evidence : str
        The words that say so, or the two dates.
    since : date or None
        The first day of the change; None if nothing states it.
    until : date, optional
        Its last day; None if it is to stay.
    in_part : bool, optional (default=False)
        Whether it changes a part of the passage alone.
    appointed : bool, optional (default=False)
        Whether it begins on a day that is yet to be appointed, as far as its document says.

    """

    by: str
    of: str
    evidence: str
    since: date | None
    until: date | None = None
    in_part: bool = False
    appointed: bool = False

    def holds_on(self, day: date) -> bool:
        """Return whether the change is in force on a day."""
        return (self.since or day) <= day <= (self.until or day)


def voidings(edges: pl.DataFrame, passages: pl.DataFrame) -> list[Voiding]:
    """Return what changes what, in the order of the edges of type SUPERSEDES.

    A change begins with the passage that it is in, or on a later day that it states itself.

    Parameters
    ----------
    edges : polars.DataFrame
        The edges table. An edge from or to what is not a passage is left out.
    passages : polars.DataFrame
        The passages table, as `rulerank.authority.commencement.dated` returns it.

    """
    known = passages.select("document_id", "effective_from", "text", source_id="passage_id")
    later, apart = appointed(passages), amended_apart(passages)
    targets = passages.select(target_id="passage_id", target_section="section")
    found = (
        edges.filter(pl.col("type") == "SUPERSEDES")
        .join(known, on="source_id", maintain_order="left")
        .join(targets, on="target_id", maintain_order="left")
    )
    return [
        Voiding(
            row["source_id"],
            row["target_id"],
            row["evidence"],
            max(filter(None, [since, stated_since(row["text"], row["evidence"])]), default=None),
            stated_until(row["text"], row["evidence"]),
            changes_part(row["text"], row["evidence"], row["target_section"]),
            yet,
        )
        for row in found.iter_rows(named=True)
        for since, yet in (_begun(row, apart, later),)
    ]


def _begun(
    row: Mapping[str, Any], apart: Mapping[tuple[str, str], Beginning], later: Set[str]
) -> tuple[date | None, bool]:
    """Return the first day of a change by its document, and whether one is yet to be appointed."""
    begun = apart.get((row["document_id"], article_of(row["target_section"])))
    if begun is None:
        return row["effective_from"], row["effective_from"] is None and row["document_id"] in later
    if begun.day:
        return begun.day, False
    # It is no earlier than the rest.
    return (row["effective_from"], True) if begun.later else (None, False)


class InForce:
    """What is void on a day.

    Parameters
    ----------
    known : iterable of Voiding
        All voidings, whatever the day.
    as_of : date
        The day.

    """

    def __init__(self, known: Iterable[Voiding], as_of: date) -> None:
        self._known = [each for each in known if each.holds_on(as_of)]

    @cached_property
    def _ids(self) -> list[str]:
        return list(dict.fromkeys(each for voiding in self._known for each in (voiding.by, voiding.of)))

    @cached_property
    def _rows(self) -> Mapping[str, int]:
        return {each: row for row, each in enumerate(self._ids)}

    @cached_property
    def _order(self) -> Supersession:
        ends = [(each.by, each.of, "SUPERSEDES") for each in self._known]
        schema = {"source_id": pl.String, "target_id": pl.String, "type": pl.String}
        return order_of_passages(
            pl.DataFrame(ends, schema=schema, orient="row"), pl.Series(self._ids, dtype=pl.String)
        )

    def voided_by(self, passage_id: str) -> tuple[str, ...]:
        """Return the ids of the passages in force among those that void a passage, directly or not."""
        row = self._rows.get(passage_id)
        return () if row is None else tuple(self._ids[each] for each in in_force_above(self._order, row))

    def changes(self, passage_id: str) -> list[Voiding]:
        """Return what changes a passage and what changes those changes, each once, the earliest first."""
        above: dict[str, list[Voiding]] = self._above
        found: dict[tuple[str, str], Voiding] = {}
        waiting = [passage_id]
        while waiting:
            for voiding in above.get(waiting.pop(), []):
                if (voiding.by, voiding.of) not in found:
                    found[voiding.by, voiding.of] = voiding
                    waiting.append(voiding.by)
        return sorted(found.values(), key=lambda each: each.since or date.min)

    def changed(self, passage_id: str) -> list[str]:
        """Return the rules that a passage changes, directly or not, and that change nothing themselves."""
        seen: dict[str, None] = {}
        waiting = [passage_id]
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen[each] = None
                waiting.extend(voiding.of for voiding in self._below.get(each, []))
        return [each for each in seen if each != passage_id and each not in self._below]

    @cached_property
    def _above(self) -> dict[str, list[Voiding]]:
        above: dict[str, list[Voiding]] = {}
        for voiding in self._known:
            above.setdefault(voiding.of, []).append(voiding)
        return above

    @cached_property
    def _below(self) -> dict[str, list[Voiding]]:
        below: dict[str, list[Voiding]] = {}
        for voiding in self._known:
            below.setdefault(voiding.by, []).append(voiding)
        return below
