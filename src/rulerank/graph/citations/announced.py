"""What a lead-in says is amended: "The Harbour Rules 2018 are amended as follows"; "in rule 1, for …"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from rulerank.graph.citations.collect import Row
from rulerank.graph.citations.mention import Mention, part_of
from rulerank.graph.citations.names import Names
from rulerank.graph.citations.patterns import Patterns, either
from rulerank.graph.citations.register import Documents
from rulerank.graph.citations.relations import Relations
from rulerank.graph.citations.spans import quoted
from rulerank.graph.citations.throughout import Announcement, Rewording, Throughout
from rulerank.graph.sections import Path

_OPENING = (
    r"(?:\A|(?<=[.;:—–■\n]))\s*(?:{heading})?(?:\(\w{{1,5}}\)\s*)?"
    r"(?:(?P<inside>[Ii]n\s+)|[Aa]mend\s+|[Tt]he\s+following\s+(?:[a-z]+\s+){{1,3}}of\s+)?(?:[Tt]he\s+)?"
)
_STOP = re.compile(r"\.(?=\s)")
_IN = re.compile(r"\b[Ii]n\s+(?:the\s+)?(?:[A-Z]|principal\s)")
_AND = re.compile(r",?\s+and\s+(?:the\s+)?|,\s+(?:the\s+)?")
_DATED = re.compile(r"[A-Z][^.;:“”\"\n]{2,150}?(?:19|20)\d\d(?!\d)")
"""A title with its year; if the corpus has no document of this name, it is one outside."""


class Announced:
    """Finds what is amended by passages that leave it to a lead-in.

    Parameters
    ----------
    patterns : Patterns
        How lead-ins are worded, and sections written.
    names : Names
        The names of documents.
    relations : Relations
        What says that a citation is amended.

    """

    def __init__(self, patterns: Patterns, names: Names, relations: Relations) -> None:
        self._patterns = patterns
        self._names = names
        self._relations = relations
        self._throughout = Throughout(patterns.grammar)
        self._opening = re.compile(_OPENING.format(heading=patterns.grammar.heading))
        self._counted = re.compile(patterns.grammar.pointing.amended or "(?!)")
        said = either(patterns.grammar.announcing)
        self._any = re.compile(said)
        self._annexing = re.compile(patterns.grammar.annexing or "(?!)")
        self._amended, self._inside = (
            re.compile(rf"(?:\s?\([^()\n]{{1,200}}\))*(?:{words})") for words in (said, r",?\s?[:—–]")
        )
        self._inside_named = re.compile(r"(?:\s?\([^()\n]{1,200}\))*(?:,?\s?[:—–]|,?(?=\s))")

    def applied(
        self, rows: Sequence[Row], mentions: Sequence[list[Mention]], paths: Mapping[str, Sequence[Path]]
    ) -> tuple[list[list[Mention]], list[list[Rewording]]]:
        """Return the mentions of each row and the words that it replaces throughout a document.

        The mentions of what is amended have the document whose amendment was announced.

        A lead-in that ends its passage holds for the passages beneath it or, if there are none, for those
        beside it that follow, until a rule of another document is amended. A schedule that says how documents
        are amended is about these.

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
        reworded: list[list[Rewording]] = []
        holding: list[tuple[Path, Announcement]] = []
        annexed: dict[tuple[str, Path], Announcement] = {}
        for row, following, found in zip(rows, [*rows[1:], None], mentions, strict=True):
            path = paths[row.document][row.place]
            holding = [each for each in holding if row.place and _beneath(path, each[0])]
            outer = holding[-1][1] if holding else annexed.get((row.document, path[:1]))
            for schedule, announcement in self._annexed(row):
                annexed[row.document, schedule] = announcement
            said = list(self._announcements(row, found, outer))
            announced = [*([outer] if outer else []), *said]
            applied.append(self._with_announced(row, found, announced))
            reworded.append(list(self._throughout.read(row.text.text, found, announced)))
            if holding and outer and outer.documents and self._amends_another(row, found, outer.documents):
                holding[-1] = holding[-1][0], Announcement(0, ())
            elif holding and outer and outer.section and self._amends_beside(row, found, outer.section):
                holding[-1] = holding[-1][0], replace(outer, section=None)
            if said and not row.text.text[said[-1].end :].strip():
                beside = not following or following.document != row.document
                below = not beside and _beneath(paths[row.document][row.place + 1], path)
                scope = path if below else path[:-1]
                holding = [each for each in holding if each[0] != scope]
                holding.append((scope, replace(said[-1], end=0)))
        return applied, reworded

    def _announcements(
        self, row: Row, found: list[Mention], outer: Announcement | None
    ) -> Iterator[Announcement]:
        """Yield what a text says is amended in what follows, in reading order."""
        text = row.text.text
        begun = self._any.search(text) or _IN.search(text) or text.rstrip()[-1:] in tuple(":—–")
        if not begun:
            return
        starting = {mention.start: mention for mention in found}
        stops = [stop.start() for stop in _STOP.finditer(text) if not quoted(text, stop.start())]
        for opening in self._opening.finditer(text):
            place = opening.end()
            after = self._inside if opening["inside"] else self._amended
            if section := starting.get(place):
                inherited = outer.documents if outer and section.documents is None else section.documents
                whole = None if self._is_part(section) else replace(section, documents=inherited)
                thing = Announcement(section.end, inherited, whole)
            elif named := self._named(text, place, row.document):
                thing = named
                # "In the Harbour Rules 2018, omit rule 2."
                after = self._inside_named if opening["inside"] else self._amended
            else:
                continue
            if then := after.match(text, thing.end):
                lead_in = after is not self._inside_named or then[0][-1:] in tuple(":—–")
                after_it = len(stops) if lead_in else bisect_right(stops, then.end())
                until = stops[after_it] if after_it < len(stops) else None
                thing = replace(thing, end=then.end(), until=until)
                outer = thing if until is None else outer
                yield thing

    def _annexed(self, row: Row) -> Iterator[tuple[Path, Announcement]]:
        """Yield the schedules that a text says amend documents, and which documents these are."""
        text = row.text.text
        if not self._annexing.search(text):
            return
        for opening in self._opening.finditer(text):
            named = self._named(text, opening.end(), row.document)
            said = self._annexing.match(text, named.end) if named else None
            if named and said and (schedule := self._patterns.division_at(text, said.end())):
                kind, number, _ = schedule
                yield ("".join((kind, *number[:1])),), replace(named, end=0)

    def _named(self, text: str, place: int, document: str) -> Announcement | None:
        """Return the documents named at a place, none of a list of which the corpus lacks one."""
        named: list[Documents] = []
        end = 0
        joint: re.Match[str] | None = None
        while found := self._one_named(text, joint.end() if joint else place, document):
            end, documents = found
            named.append(documents)
            if not (joint := _AND.match(text, end)):
                break
        if not named:
            return None
        return Announcement(end, tuple(dict.fromkeys(chain.from_iterable(named))) if all(named) else ())

    def _one_named(self, text: str, place: int, document: str) -> tuple[int, Documents] | None:
        """Return the end of the name at a place, and the documents that it means."""
        if name := self._names.starting_at(text, place, document):
            return name[1], name[2]
        dated = _DATED.match(text, place)
        return (dated.end(), ()) if dated else None

    def _with_announced(
        self, row: Row, found: list[Mention], announced: Sequence[Announcement]
    ) -> list[Mention]:
        """Return the mentions of a row; each that is amended is counted where the last lead-in says.

        A row without one amends the section of the lead-in above it: "For “six” substitute “ten”".
        """
        if not announced:
            return found
        mentions = list(found)
        ends = [each.end for each in announced]
        amended = [place for place in range(len(found)) if self._is_amended(row, found, place)]
        counted = [each for each, said in enumerate(found) if self._counted.match(row.text.text, said.end)]
        for place in dict.fromkeys([*amended, *counted]):
            mention = found[place]
            before = (announced[each] for each in range(bisect_right(ends, mention.start) - 1, -1, -1))
            last = next((each for each in before if each.until is None or mention.start < each.until), None)
            if last and mention.documents is None:
                mentions[place] = self._counted_in(last, mention)
        section = None if announced[0].end else announced[0].section
        opening = self._opening.match(row.text.text)
        if section and opening and not amended:
            start = opening.start("inside") if opening["inside"] else opening.end()
            meant = replace(section, start=start, end=start)
            first = bisect_right([each.start for each in found], start)
            if self._is_amended(row, [*found[:first], meant, *found[first:]], first):
                mentions.insert(first, meant)
        return mentions

    def _counted_in(self, announced: Announcement, mention: Mention) -> Mention:
        """Return a mention in the document that is amended, and in its section if it is a part of one."""
        section = announced.section
        part = part_of(section, mention, self._patterns.style) if section else None
        return part or replace(mention, documents=announced.documents)

    def _is_part(self, mention: Mention) -> bool:
        """Return whether a mention has only the numbers of parts of a section: "paragraph (1)"."""
        return bool(mention.numbers) and all(
            self._patterns.style.start(first) == 0 for first, _ in mention.numbers
        )

    def _is_amended(self, row: Row, found: list[Mention], place: int) -> bool:
        return any(
            said.type == "SUPERSEDES" and said.subject is None and not said.reverse
            for said in self._relations.around(row.text.text, found, place, row.lead)
        )

    def _amends_beside(self, row: Row, found: list[Mention], section: Mention) -> bool:
        """Return whether a row amends something other than parts of a section."""
        return any(
            not part_of(section, mention, self._patterns.style) and self._is_amended(row, found, place)
            for place, mention in enumerate(found)
        )

    def _amends_another(self, row: Row, found: list[Mention], documents: Documents) -> bool:
        return any(
            mention.documents is not None
            and mention.documents != documents
            and self._is_amended(row, found, place)
            for place, mention in enumerate(found)
        )


def _beneath(path: Path, scope: Path) -> bool:
    # A passage without a section is beside all others of its document.
    return (len(path) > len(scope) or not path) and path[: len(scope)] == scope
