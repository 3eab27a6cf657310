"""Citations in a text: "Rules 4.3.2 to 4.3.5 and 4.4", "section 58(1) of the FSMR", "COBS 3.4"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from rulerank.graph.citations.mention import Mention, part_of, parts
from rulerank.graph.citations.names import Named, Names
from rulerank.graph.citations.patterns import Patterns, Ranges
from rulerank.graph.citations.register import Documents
from rulerank.graph.sections import Path

_LOOK_BACK = 80
_DEEPEST = 8
"""The most divisions around a number: a chain of a thousand would be read anew from each of its links."""
_TITLED = re.compile(r"[A-Z][^.;:()\d]{0,80}\([\"“‘']?")


class Reader:
    """Finds citations in a text.

    Parameters
    ----------
    patterns : Patterns
        The grammar.
    names : Names
        The names of the documents of the corpus.

    """

    def __init__(self, patterns: Patterns, names: Names) -> None:
        self._patterns = patterns
        self._names = names

    def read(self, text: str, document: str) -> list[Mention]:
        """Return the citations in the visible `text` of a passage of `document`, in reading order."""
        found: list[Mention] = []
        named = Named(self._names, text, document)
        around: Mention | None = None
        match = self._patterns.citation.search(text)
        while match:
            mention, end = self._mention(text, document, match, named, found[-1].end if found else 0)
            if mention:
                # "Rules 1 to 4 (except rule 2) of the Tug Rules": rule 2 is one of these Rules.
                if around and mention.start < around.end and mention.documents is None:
                    mention = replace(mention, documents=around.documents)
                around = mention if not around or mention.end > around.end else around
                mention = self._in_that(text, mention, found)
                if found:
                    found[-1], mention = self._inside(text, found[-1], mention)
                found.append(self._in_same_section(text, mention, found))
            if mention and mention.within and self._patterns.grammar.pointing.outer:
                end = match.end(0)
            match = self._patterns.citation.search(text, end)
        return list(self._shared(text, found))

    def _mention(
        self, text: str, document: str, match: re.Match[str], named: Named, read: int
    ) -> tuple[Mention | None, int]:
        """Return the citation that begins with `match`, if it is one, and where to continue reading.

        The citation before it ends at `read`. A document named after a citation is nearer than one before it:
        "rule 1 of the Tug Rules, rule 2 of the Sea Rules".
        """
        patterns = self._patterns
        start = next(start for start in patterns.starts if match[start.numbers] is not None)
        kind = patterns.kind(match[start.kind], start.shape) if start.kind else ""
        numbers = patterns.ranges(match[start.numbers], start.shape)
        begin, end = match.start(start.kind or start.numbers), match.end(start.numbers)
        documents: Documents | None
        excepting = None
        if start.code:
            code = self._names.ending_at(text, match.end(start.code), document)
            if not code:
                return None, match.end(start.code)
            begin, documents = code[0], code[2]
            kind, numbers, within, end = self._within(text, end, kind, numbers)
        else:
            pointed = patterns.pointed.search(text, max(0, begin - _LOOK_BACK), begin)
            if pointed and patterns.this.search(text, pointed.start(), begin):
                return None, end
            kind, numbers, within, end = self._within(text, end, kind, numbers)
            before, documents = self._before(text, begin, document, named, pointed)
            excepting = end if patterns.past_exception(text, end) > end else None
            after, following = self._after(text, end, document, named)
            if documents is None or following:
                end, documents = after, following
            elif before >= read:
                begin = before
        if not kind and numbers:
            kind = patterns.style.kind(numbers[0][0][0])
        return Mention(begin, end, kind, numbers, within, documents, named), excepting or end

    def _within(
        self, text: str, end: int, kind: str, numbers: Ranges
    ) -> tuple[str, Ranges, tuple[Path, ...], int]:
        """Return the division, its numbers, the divisions in which they are counted, and the mention's end.

        Rules and sections are numbered through a document's chapters, so their chapters say nothing. A
        schedule restarts the numbering, and so do the chapters of a part. Paragraphs of a section are numbers
        of that section.
        """
        style, divisions = self._patterns.style, self._patterns.grammar.divisions
        within: list[Path] = []
        for _ in range(_DEEPEST):
            of = self._patterns.of.match(text, end)
            found = self._patterns.division_at(text, of.end()) if of else None
            if not found:
                break
            outer, number, end = found
            if divisions[outer].restarts or (outer in style.labels and kind in style.labels):
                within.append((outer, *number))
            elif number and style.start(number) > 0 and all(style.start(first) == 0 for first, _ in numbers):
                numbers = tuple(((*number, *first), last and (*number, *last)) for first, last in numbers)
                kind = outer
            elif number and not divisions[outer].label and (inner := parts(number, kind, numbers, style)):
                # "Paragraph 2 of Article 3"
                kind, numbers = outer, inner
        return kind, numbers, tuple(within), end

    def _in_that(self, text: str, mention: Mention, found: list[Mention]) -> Mention:
        """Return a mention with the division that it points back at: "paragraph 94 of that Schedule"."""
        back = None if mention.within else self._patterns.in_that.match(text, mention.end)
        if not back:
            return mention
        kind = self._patterns.kind(back["kind"])
        for earlier in reversed(found):
            if earlier.within and earlier.within[0][0] == kind:
                return replace(mention, within=earlier.within, documents=earlier.documents)
        return mention

    def _inside(self, text: str, outer: Mention, mention: Mention) -> tuple[Mention, Mention]:
        """Return two mentions, the second in the first if that counts it: "Schedule 2, paragraph 3".

        A document that is named with one of them is that of both: "Article 2, paragraph 3, of the Tug Rules".
        """
        alone = not mention.within and len(outer.numbers) == 1 and not outer.numbers[0][1]
        between = self._patterns.inside.match(text, outer.end) if alone and outer.kind else None
        if not between or between.end() != mention.start:
            return outer, mention
        named = {each.documents for each in (outer, mention)} - {None}
        if len(named) > 1:
            return outer, mention
        division = self._patterns.grammar.divisions[outer.kind]
        whole = replace(outer, documents=next(iter(named), None))
        if division.restarts:
            within = ((outer.kind, *outer.numbers[0][0]), *outer.within)
            return whole, replace(mention, within=within, documents=whole.documents)
        part = None if division.label else part_of(whole, mention, self._patterns.style)
        return (whole, part) if part else (outer, mention)

    def _in_same_section(self, text: str, mention: Mention, found: list[Mention]) -> Mention:
        """Return a mention that continues the section cited before, if it points back: "같은 조 제2항"."""
        start = max(0, mention.start - _LOOK_BACK)
        back = self._patterns.same_section.search(text, start, mention.start)
        if not back or not found or not found[-1].numbers:
            return mention
        style, earlier = self._patterns.style, found[-1]
        path = earlier.numbers[-1][1] or earlier.numbers[-1][0]
        # A paragraph by itself is one of the citing section already.
        if style.start(path) == 0:
            return mention
        numbers = tuple(
            (style.continued(path, first), last and style.continued(path, last))
            for first, last in mention.numbers
        )
        return replace(
            mention,
            start=back.start(),
            numbers=numbers,
            within=earlier.within,
            documents=earlier.documents,
        )

    def _before(
        self, text: str, begin: int, document: str, named: Named, pointed: re.Match[str] | None
    ) -> tuple[int, Documents | None]:
        """Return where the mention begins, and the documents that the words before it mean.

        `pointed` is the first match of words that point at a document and may reach up to the mention.
        """
        patterns = self._patterns
        if pointed:
            if same := patterns.same_before.search(text, pointed.start(), begin):
                return same.start(), self._same(same[0], named.before(same.start()))
            if own := patterns.own_before.search(text, pointed.start(), begin):
                return own.start(), (document,)
        if name := self._names.ending_at(text, begin, document):
            return name[0], name[2]
        if pointed and (foreign := patterns.foreign_before.search(text, pointed.start(), begin)):
            return foreign.start(), ()
        return begin, None

    def _after(self, text: str, end: int, document: str, named: Named) -> tuple[int, Documents | None]:
        patterns = self._patterns
        past = patterns.past_exception(text, end)
        outside = () if patterns.foreign.match(text, past) else None
        of = patterns.of.match(text, past)
        if not of:
            return end, outside
        if same := patterns.same.match(text, of.end()):
            return same.end(), self._same(same[0], named.before(end))
        if own := patterns.own.match(text, of.end()):
            return own.end(), (document,)
        if name := self._names.starting_at(text, of.end(), document):
            return name[1], name[2]
        titled = _TITLED.match(text, of.end())
        if titled and (name := self._names.starting_at(text, titled.end(), document)):
            return name[1], name[2]
        return end, outside

    def _same(self, words: str, documents: Documents) -> Documents:
        """Return the documents meant by `words` such as "the same Act" if `documents` were named last."""
        word = next(
            (each for each in self._patterns.grammar.names.under if words.rstrip().endswith(each)), ""
        )
        return self._names.register.under(documents, word) if word else documents

    def _shared(self, text: str, mentions: list[Mention]) -> Iterator[Mention]:
        """Yield the mentions, each with what the next one of its kind says about both.

        "section 107 or section 112 of the FSMR" are two of the FSMR's sections; "chapter 3, chapter 4 of
        Part 12" are two of that part's chapters; "section 13 of, and Schedule 1 to, the FSMR" are both its.
        """
        following: Mention | None = None
        shared: list[Mention] = []
        for mention in reversed(mentions):
            if following and self._patterns.join.fullmatch(text, mention.end, following.start):
                alike = mention.kind and mention.kind == following.kind
                if alike and not mention.within:
                    mention = replace(mention, within=following.within)
                if mention.documents is None and (alike or _kinds(mention) == [following.kind]):
                    mention = replace(mention, documents=following.documents)
            elif following and mention.documents is None and self._document_follows(text, mention, following):
                mention = replace(mention, documents=following.documents)
            shared.append(mention)
            following = mention
        yield from reversed(shared)

    def _document_follows(self, text: str, mention: Mention, following: Mention) -> bool:
        """Return whether the document of a mention is only named after the following one."""
        return bool(self._patterns.hanging.fullmatch(text, mention.end, following.start))


def _kinds(mention: Mention) -> list[str]:
    return [division[0] for division in mention.within]
