"""What a lead-in says is amended: "The Harbour Rules 2018 are amended as follows"; "in rule 1, for …"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulerank.graph.citations.collect import Row
from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.names import Names
from rulerank.graph.citations.patterns import either
from rulerank.graph.citations.reader import Mention
from rulerank.graph.citations.register import Documents
from rulerank.graph.citations.relations import Relations
from rulerank.graph.sections import Path

_OPENING = re.compile(r"(?:\A|(?<=[.;:—–\n]))\s*(?:\(\w{1,5}\)\s*)?(?P<inside>[Ii]n\s+)?(?:[Tt]he\s+)?")
_DATED = re.compile(r"[A-Z][^.;:“”\"\n]{2,150}?(?:19|20)\d\d(?!\d)")
"""A title with its year; if the corpus has no document of this name, it is one outside."""


@dataclass(frozen=True)
class _Announcement:
    """What is amended in the words that follow."""

    end: int
    """Where the lead-in ends in the text that is read; 0 if it is that of an earlier passage."""
    documents: Documents | None
    """None for the document itself; empty if the corpus lacks the document, or it is not known which."""


class Announced:
    """Finds what is amended by passages that leave it to a lead-in.

    Parameters
    ----------
    names : Names
        The names of documents.
    relations : Relations
        What says that a citation is amended.
    grammar : Grammar
        How lead-ins are worded.

    """

    def __init__(self, names: Names, relations: Relations, grammar: Grammar) -> None:
        self._names = names
        self._relations = relations
        said = either(grammar.announcing)
        self._any = re.compile(said)
        self._amended, self._inside = (
            re.compile(rf"(?:\s?\([^()\n]{{1,200}}\))*(?:{words})") for words in (said, r"\s?[:—–]")
        )

    def applied(
        self, rows: Sequence[Row], mentions: Sequence[list[Mention]], paths: Mapping[str, Sequence[Path]]
    ) -> list[list[Mention]]:
        """Return the mentions of all rows; those that are amended have the document that was announced.

        A lead-in that ends its passage holds for the passages beneath it or, if there are none, for those
        beside it that follow, until a rule of another document is amended.

        Parameters
        ----------
        rows : sequence of Row
            The passages, those of one document together and in order.
        mentions : sequence of list of Mention
            The citations in each.
        paths : mapping of str to sequence of Path
            The sections of each document's passages.

        """
        applied: list[list[Mention]] = []
        holding: list[tuple[Path, _Announcement]] = []
        for row, following, found in zip(rows, [*rows[1:], None], mentions, strict=True):
            path = paths[row.document][row.place]
            holding = [each for each in holding if row.place and _beneath(path, each[0])]
            outer = holding[-1][1] if holding else None
            said = list(self._announcements(row, found, outer))
            applied.append(self._with_announced(row, found, [*([outer] if outer else []), *said]))
            if outer and outer.documents and self._amends_another(row, found, outer.documents):
                holding[-1] = holding[-1][0], _Announcement(0, ())
            if said and not row.text.text[said[-1].end :].strip():
                beside = not following or following.document != row.document
                below = not beside and _beneath(paths[row.document][row.place + 1], path)
                scope = path if below else path[:-1]
                holding = [each for each in holding if each[0] != scope]
                holding.append((scope, replace(said[-1], end=0)))
        return applied

    def _announcements(
        self, row: Row, found: list[Mention], outer: _Announcement | None
    ) -> Iterator[_Announcement]:
        """Yield what a text says is amended in what follows, in reading order."""
        text = row.text.text
        if not self._any.search(text) and text.rstrip()[-1:] not in tuple(":—–"):
            return
        starting = {mention.start: mention for mention in found}
        for opening in _OPENING.finditer(text):
            place = opening.end()
            after = self._inside if opening["inside"] else self._amended
            if section := starting.get(place):
                inherited = outer.documents if outer and section.documents is None else section.documents
                thing = _Announcement(section.end, inherited)
            elif name := self._names.starting_at(text, place, row.document):
                thing = _Announcement(name[1], name[2])
            elif dated := _DATED.match(text, place):
                thing = _Announcement(dated.end(), ())
            else:
                continue
            if then := after.match(text, thing.end):
                outer = replace(thing, end=then.end())
                yield outer

    def _with_announced(
        self, row: Row, found: list[Mention], announced: Sequence[_Announcement]
    ) -> list[Mention]:
        """Return the mentions of a row; each that is amended is counted where the last lead-in says."""
        mentions = list(found)
        ends = [each.end for each in announced]
        for place, mention in enumerate(found):
            before = bisect_right(ends, mention.start)
            if before and mention.documents is None and self._is_amended(row, found, place):
                mentions[place] = replace(mention, documents=announced[before - 1].documents)
        return mentions

    def _is_amended(self, row: Row, found: list[Mention], place: int) -> bool:
        return any(
            said.type == "SUPERSEDES" and said.subject is None and not said.reverse
            for said in self._relations.around(row.text.text, found, place)
        )

    def _amends_another(self, row: Row, found: list[Mention], documents: Documents) -> bool:
        return any(
            mention.documents is not None
            and mention.documents != documents
            and self._is_amended(row, found, place)
            for place, mention in enumerate(found)
        )


def _beneath(path: Path, scope: Path) -> bool:
    return len(path) > len(scope) and path[: len(scope)] == scope
