"""What documents are called in the text: short codes, titles, and titles without year or version."""

from __future__ import annotations

import re
from collections.abc import Iterable

import polars as pl

_BRACKET = re.compile(r"\s*\(([^()]*)\)\s*$")
_YEAR = re.compile(r"\s+(?:19|20)\d\d$")
_KIND = r"(?:\s+(?:Rulebook|Rules|Regulations))?"


def document_names(documents: pl.DataFrame) -> dict[str, str]:
    """Return document ids by what the documents are called; a name that several documents share names none.

    A single word keeps its case (`FUNDS` is a rulebook, "funds" are not); longer names are in lower case.
    """
    owners: dict[str, set[str]] = {}
    for document, title, aliases in documents.select("document_id", "title", "aliases").iter_rows():
        for name in _names([title, *aliases]):
            owners.setdefault(name, set()).add(document)
    return {name: next(iter(ids)) for name, ids in owners.items() if len(ids) == 1}


def name_pattern(names: Iterable[str]) -> str:
    """Return a regular expression of the names, longest first; "Rulebook" or the like may follow a code."""
    ordered = sorted(names, key=lambda name: (-len(name), name))
    parts = [_spaced(name) if " " in name else re.escape(name) + _KIND for name in ordered]
    return rf"(?:{'|'.join(parts)})(?!\w)" if parts else r"(?!)"


def lookup(names: dict[str, str], matched: str) -> str:
    """Return the document that a match of `name_pattern(names)` names."""
    spaced = " ".join(matched.split())
    return names.get(spaced.lower()) or names.get(spaced) or names[spaced.split()[0]]


def _spaced(name: str) -> str:
    words = r"\s+".join(re.escape(word) for word in name.split())
    return f"(?i:{words})"


def _names(given: Iterable[str]) -> set[str]:
    names: set[str] = set()
    for name in given:
        plain = " ".join(name.split())
        while match := _BRACKET.search(plain):
            if match[1].isupper() and match[1].isalpha():
                names.add(match[1])
            plain = plain[: match.start()]
        plain = re.sub(r"^the ", "", plain, flags=re.I)
        names |= {plain, _YEAR.sub("", plain)}
    return {name.lower() if " " in name else name for name in names if len(name) > 1}
