"""What a document says about itself: its title, its kind of instrument, its short code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulerank.corpora.naming.words import CODE, INSTRUMENT, NAME, akin, key_of, kind_of_instrument, tidy

OPENING = 8
"""A document says what it is within this many passages from its beginning."""

_HEADING = re.compile(rf"(?:THE )?(?:[^\W\d_][\w&’',-]* ){{1,14}}{INSTRUMENT}(?: \d{{4}})?", re.I)
_GENERIC = re.compile(r"(?i)\b(?:the|these|this|of|other|under|making|to) (?:\w+ )?\w+(?: \d{4})?$")
_TITLE = re.compile(
    rf"\b(?i:may be cited as|(?:is|are|shall be) (?:called|known as|titled)) (?:the )?[\"“‘]?"
    rf"(?P<name>{NAME})(?:[\"”’]?\s*\([\"“]?(?P<code>{CODE})[\"”]?\))?"
)
_DESCRIBED = re.compile(
    rf"\bThis document\b[^.]{{0,120}}?\b(?:is|contains|sets out) (?:the )?(?P<kind>{INSTRUMENT})\b"
)
_SELF = re.compile(
    rf"\b(?:[Tt]his|[Tt]hese) (?P<name>(?:{NAME} )?(?P<kind>{INSTRUMENT}))\b"
    rf"(?:\s*\([\"“]?(?P<code>{CODE})[\"”]?\))?"
)
_SUBJECT = re.compile(
    rf"(?m)(?:^|(?<=[.:] ))(?:The (?:purpose|aim) of )?[Tt]he (?P<name>{NAME})"
    rf"(?:\s*\([\"“]?(?P<code>{CODE})[\"”]?\))? (?:is|are|was|were|appl(?:y|ies)|sets? out|contains?)\b"
)
_ITSELF = re.compile(rf"\b(?:[Tt]his|[Tt]hese) (?:document|{INSTRUMENT})\b[^.]{{0,20}}\Z")
_REACH = 60
_MOSTLY = 0.5


@dataclass(frozen=True)
class Own:
    """What one document says about itself.

    Parameters
    ----------
    titles : tuple of str
        Names that it states as its own.
    kind : str or None
        The instrument that it calls itself: "Rules".
    hints : tuple of str
        Names by which it may mean itself: "this Business Rulebook", "The purpose of the Code is".

    """

    titles: tuple[str, ...]
    kind: str | None
    hints: tuple[str, ...]


def own_names(sections: Sequence[str], texts: Sequence[str]) -> Own:
    """Read what a document says about itself.

    Parameters
    ----------
    sections, texts : sequence of str
        The section ids and the visible texts of its passages, in order.

    """
    opening = texts[:OPENING]
    kind = kind_of_document(opening)
    titles = [*_headings(sections[:1], texts[:1], kind), *_stated(texts)]
    meant = [match for text in texts for match in _SELF.finditer(text)]
    hints = [name for match in meant for name in _names(match)]
    hints += [name for text in opening for match in _SUBJECT.finditer(text) for name in _names(match)]
    titles += [match["code"] for match in meant if match["code"]]
    titles += _modified(meant)
    return Own(
        tuple(dict.fromkeys(titles)),
        kind,
        tuple(dict.fromkeys(name for name in hints if key_of(name).words)),
    )


def kind_of_document(opening: Sequence[str]) -> str | None:
    """Return what a document mostly calls itself in its first texts ("these Rules"), or None."""
    kinds = Counter(
        match["kind"] for text in opening for said in (_SELF, _DESCRIBED) for match in said.finditer(text)
    )
    return kinds.most_common(1)[0][0] if kinds else None


def _headings(sections: Sequence[str], texts: Sequence[str], kind: str | None) -> list[str]:
    """Return the title above the first passage, as its section id or its first line.

    A heading that names a different kind of instrument than the document is not a title ("General Principles"
    in Rules). Nor is one without a year if the document does not say what it is.
    """
    lines = [*sections, *(text.split("\n")[0] for text in texts)]
    headings = [line.strip() for line in lines]
    return [
        line
        for line in headings
        if _HEADING.fullmatch(line)
        and not _GENERIC.search(line)
        and (akin(key_of(line).kind, kind_of_instrument(kind)) if kind else line[-4:].isdecimal())
    ]


def _stated(texts: Iterable[str]) -> list[str]:
    """Return the titles that a document gives itself: "These Rules may be cited as ..."."""
    return [
        name
        for text in texts
        for match in _TITLE.finditer(text)
        if _ITSELF.search(text, max(0, match.start() - _REACH), match.start())
        for name in _names(match)
    ]


def _modified(meant: Sequence[re.Match[str]]) -> list[str]:
    """Return the full name that the document mostly uses for itself: "these Islamic Finance Rules"."""
    names = Counter(tidy(match["name"]) for match in meant)
    return [
        name
        for name, count in names.items()
        if key_of(name).words and count > 1 and count >= _MOSTLY * names.total()
    ]


def _names(match: re.Match[str]) -> list[str]:
    return [tidy(name) for name in (match["name"], match["code"]) if name]
