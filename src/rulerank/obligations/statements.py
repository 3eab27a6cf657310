"""The statements of a passage: each sentence, or a lead-in with one of its items, verbatim and in place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rulerank.obligations.modality import modal
from rulerank.obligations.parts import parts
from rulerank.obligations.provisions import Provision, provisions
from rulerank.obligations.readable import Readable, Span, readable
from rulerank.obligations.separable import separable
from rulerank.obligations.wording import Modality

REMEMBERED = 1024
"""Texts whose statements are kept: an answer, its verification and its measures read the same passages."""

_CONNECTIVE = re.compile(r"(?:\s?[;,]|\s)(?:\s?(?:and/or|and|or|but)(?: that)?)?[;,]?$")
_Piece = tuple[int, int]


@dataclass(frozen=True)
class Statement:
    """One thing that a passage states.

    Parameters
    ----------
    spans : tuple of Span
        The parts of the passage that it consists of, in reading order: a sentence, or a lead-in and its item.
    text : str
        The parts joined by a space, invisible characters left out and white space collapsed.
    modality : str or None
        What it states: prohibition, obligation, recommendation, permission or definition; None for
        anything else.
    parts : mapping of str to tuple of Span
        Where the statement says who (`actor`), on what `condition`, with what `exception`, by when
        (`deadline`) and how much (`amount`). A part that runs from the lead-in into the item has two spans.

    """

    spans: tuple[Span, ...]
    text: str
    modality: Modality | None
    parts: Mapping[str, tuple[Span, ...]]


@lru_cache(maxsize=REMEMBERED)
def statements(text: str) -> tuple[Statement, ...]:
    """Return every statement of a passage in reading order, duties and others.

    A lead-in is read with each of its items ("must ensure that: (a) …"). The items stay together if one alone
    would change the meaning of the passage: before a closing line, or words of the last item, about all of
    them, in a definition, as alternatives of a duty, as conditions that must all hold, and as what one figure
    is made of ("the higher of: (a) …").

    Parameters
    ----------
    text : str
        The text of a passage, as read from the corpus.

    Returns
    -------
    tuple of Statement
        Empty for blank text.

    """
    source = readable(text)
    read = (pieces for provision in provisions(source.text) for pieces in _read(provision, source.text))
    return tuple(_statement(pieces, source) for pieces in read)


def _read(provision: Provision, text: str, lead: tuple[_Piece, ...] = ()) -> Iterator[tuple[_Piece, ...]]:
    """Yield the pieces of each statement below `provision`, starting with those of the lead-in."""
    if provision.alone:
        lead = ()
    own = *lead, (provision.start, provision.end)
    if not provision.items:
        yield *lead, (provision.start, _end(text, *own[-1]))
    elif _separable(provision, text, _joined(own, text)):
        for item in provision.items:
            yield from _read(item, text, own)
    else:
        items = list(provision.items)
        after = []
        while items[-1].alone:
            after.append(items.pop())
        last = _last(items[-1])
        yield *lead, (provision.start, _end(text, provision.start, last))
        for item in reversed(after):
            yield from _read(item, text)


def _last(provision: Provision) -> int:
    """Return where the last item below `provision` ends."""
    return _last(provision.items[-1]) if provision.items else provision.end


def _separable(provision: Provision, text: str, lead: str) -> bool:
    """Whether the items of `provision` can be read one by one after `lead`."""
    items = [text[item.start : _last(item)] for item in provision.items if not item.alone]
    return not provision.whole and separable(lead, items)


def _end(text: str, start: int, end: int) -> int:
    """Return where text[start:end] ends without the "and" or "or" that leads to the next item.

    The mark that closes a quotation begun earlier is left out, too.
    """
    connective = _CONNECTIVE.search(text, max(start + 1, end - 15), end)
    end = connective.start() if connective else end
    closing = text.endswith("”", start + 1, end) and "“" not in text[start:end]
    return end - 1 if closing else end


def _statement(pieces: Sequence[_Piece], source: Readable) -> Statement:
    words = _joined(pieces, source.text)
    stated = modal(words)
    found: dict[str, tuple[Span, ...]] = {}
    for name, places in parts(words, stated).items():
        spans = (source.span(*piece) for place in places for piece in _in_pieces(place, pieces))
        found[name] = tuple(spans)
    return Statement(
        tuple(source.span(*piece) for piece in pieces), words, stated.modality if stated else None, found
    )


def _joined(pieces: Sequence[_Piece], text: str) -> str:
    return " ".join(text[start:end].replace("\n", " ") for start, end in pieces)


def _in_pieces(place: _Piece, pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    """Yield the parts of the text that make up one part of the joined pieces."""
    offset = 0
    for start, end in pieces:
        first, last = max(place[0] - offset, 0), min(place[1] - offset, end - start)
        if first < last:
            yield start + first, start + last
        offset += end - start + 1
