"""From what a text cites to the passages it means, or the reason why there are none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.numbering import Numbering, Reason
from rulerank.graph.citations.register import Documents
from rulerank.graph.sections import Path

Passage = tuple[str, int]
"""A document and a place in it."""


@dataclass(frozen=True)
class Usage:
    """How the corpus refers to its documents where it names them."""

    conventions: Mapping[tuple[str, str], Documents] = field(default_factory=dict)
    """The documents meant if none is named, as the citing document states; by that document and kind."""
    kinds: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The kinds of division that are cited in each document, by document."""
    cited: Mapping[tuple[str, str, Path], frozenset[str]] = field(default_factory=dict)
    """The documents that were named with a number, by citing document, kind and first number."""


def usage_of(
    mentions: Iterable[tuple[str, Mention]], conventions: Mapping[tuple[str, str], Documents]
) -> Usage:
    """Return how documents are named, from every mention and the document it occurs in."""
    kinds: dict[str, set[str]] = {}
    cited: dict[tuple[str, str, Path], set[str]] = {}
    for document, mention in mentions:
        for named in mention.documents or ():
            kinds.setdefault(named, set()).add(mention.kind)
            for first, _ in mention.numbers:
                cited.setdefault((document, mention.kind, first[:1]), set()).add(named)
    return Usage(
        conventions,
        {document: frozenset(found) for document, found in kinds.items()},
        {key: frozenset(found) for key, found in cited.items()},
    )


class Resolver:
    """Finds the passages that a mention means.

    Parameters
    ----------
    numberings : mapping of str to Numbering
        The numbering of every document.
    usage : Usage
        How documents are named.

    """

    def __init__(self, numberings: Mapping[str, Numbering], usage: Usage) -> None:
        self._numberings = numberings
        self._usage = usage
        self._parts: dict[Path, Documents] = {}
        for document, numbering in numberings.items():
            if numbering.part:
                self._parts[numbering.part] = (*self._parts.get(numbering.part, ()), document)

    def resolve(self, mention: Mention, source: Passage) -> Iterator[tuple[Passage | Reason, bool]]:
        """Yield each cited passage, or the reason for each number that leads to none.

        With each comes whether it is only between the ends of a range.

        A document that the text names decides. Otherwise the citing document's own convention decides, or
        else its own sections. If it has no section of that number, the document named last in the same
        passage decides, or the one that the citing document names elsewhere with the same number, or the one
        that is the part of a code with which the number begins, or in which it is counted: § 1005.3,
        appendix A to part 1005.
        """
        for first, last in mention.numbers:
            found = self._place(mention, first, source)
            if not last:
                yield found, False
                continue
            end = self._place(mention, last, source)
            if isinstance(found, str) or isinstance(end, str) or found[0] != end[0] or found >= end:
                yield from ((found, False), (end, False))
                continue
            document = found[0]
            for place in self._numberings[document].between(found[1], end[1]):
                yield (document, place), place not in (found[1], end[1])

    def _place(self, mention: Mention, number: Path, source: Passage) -> Passage | Reason:
        if mention.documents is not None:
            return self._one(mention.documents, mention, number, source)
        convention = self._usage.conventions.get((source[0], mention.kind))
        if convention:
            return self._one(convention, mention, number, source)
        own = self._one((source[0],), mention, number, source)
        known_here = self._numberings[source[0]].holds(mention.kind, number)
        if own != "no such section" or not mention.kind or known_here:
            return own
        earlier = tuple(
            name
            for name in mention.named.before(mention.start)
            if mention.kind in self._usage.kinds.get(name, ())
        )
        elsewhere = self._usage.cited.get((source[0], mention.kind, number[:1]), frozenset())
        part = self._parts.get(number[:1], ()) if len(number) > 1 else ()
        for documents in (earlier, tuple(elsewhere) if len(elsewhere) == 1 else (), part):
            found = self._one(documents, mention, number, source) if documents else own
            if not isinstance(found, str):
                return found
        if mention.within and (documents := self._parts.get(mention.within[-1][1:], ())):
            return self._one(documents, replace(mention, within=mention.within[:-1]), number, source)
        return own

    def _one(self, documents: Documents, mention: Mention, number: Path, source: Passage) -> Passage | Reason:
        """Return the one passage of the documents that is meant, or the reason why there is none."""
        results = [(document, self._in(document, mention, number, source)) for document in documents]
        places = [(document, place) for document, place in results if isinstance(place, int)]
        if len(places) == 1:
            return places[0]
        if places or any(reason == "ambiguous" for _, reason in results):
            return "ambiguous"
        return "no such section" if results else "unknown document"

    def _in(self, document: str, mention: Mention, number: Path, source: Passage) -> int | Reason:
        numbering = self._numberings.get(document)
        if numbering is None:
            return "unknown document"
        own = document == source[0]
        beside = numbering.divisions(source[1]) if own else ()
        if own and not mention.within and numbering.is_relative(number):
            number = numbering.full_path(source[1], number)
        return numbering.resolve(mention.kind, number, mention.within, beside)
