"""The words that make up names of documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rulerank.corpora.kinds import tier_of

INSTRUMENT = (
    r"(?:Rulebook|Rules|Regulations?|Guidance(?: Notes?)?|Guidelines|Guiding Principles|Principles|Act|Law"
    r"|Statute|Code|Manual|Policy|Order|Ordinance|Decree|Notice|Directive)"
)
"""What a document is, as its name says."""

CODE = r"[A-Z][A-Za-z&]{0,15}[A-Z&][A-Za-z&]{0,15}"
"""A short code: `COBS`, `A&C`; bounded, to keep reading linear."""

NUMBER = r"[A-Z]{0,2}\d+[A-Z]{0,2}(?:\.\d+[A-Z]{0,2})*"
"""A section number, without the bracketed parts after it."""

DIVISION = r"(?i:rules?|sections?|chapters?|parts?|articles?|regulations?|paragraphs?|app(?:endix)?)"

_WORD = r"[A-Z][\w&-]*(?:[’'](?!s\b)\w+)*"
_JOINT = r"(?:,| and| &| –| -| (?:of|for|on|in)(?: the)?)?"
NAME = rf"{_WORD}(?:{_JOINT} {_WORD}){{0,13}}(?: \d{{4}})?"
"""A run of capitalised words, joined by small ones; bounded, to keep reading linear."""

_YEAR = re.compile(r"\s+(?:19|20)\d\d$")
_STAGE = r"(?:(?:supplementary|draft|further) )?"
_KIND = re.compile(rf"(?:^|\s+){_STAGE}(?P<kind>{INSTRUMENT})(?: and {INSTRUMENT})*$", re.I)
_KIND_FIRST = re.compile(rf"^{_STAGE}(?P<kind>{INSTRUMENT}) (?:of|on|for|-|–) ", re.I)
_SAME = {"rulebook": "rules", "regulation": "regulations", "guidance notes": "guidance"}
_TOKEN = re.compile(r"[^\W_]+")
_SMALL = frozenset({"the", "of", "and", "for", "on", "in", "to"})
_LEADING = re.compile(r"^(?:The|This|These|Our|Its|Under|In|See|And|For|Of|Means?)\s+")


@dataclass(frozen=True, order=True)
class Key:
    """What names of one document have in common: Market Rules and Markets Rulebook, not Market Regulations.

    Parameters
    ----------
    words : tuple of str
        In lower case and, roughly, in the singular, without the instrument, year and small words.
    kind : str
        The kind of instrument that the name states, in lower case: "rules"; empty if it states none.

    """

    words: tuple[str, ...]
    kind: str


@lru_cache(maxsize=1 << 16)
def key_of(name: str) -> Key:
    """Return what a name has in common with its variants; "Rules" alone has no words."""
    plain = _YEAR.sub("", name.strip())
    kind = _KIND.search(plain) or _KIND_FIRST.match(plain)
    tokens = _TOKEN.findall(plain[: kind.start()] + plain[kind.end() :] if kind else plain)
    if len(tokens) == 1 and is_code(tokens[0]):
        words: tuple[str, ...] = (tokens[0],)
    else:
        words = tuple(token.removesuffix("s") for token in map(str.lower, tokens) if token not in _SMALL)
    return Key(words, kind_of_instrument(kind["kind"]) if kind else "")


def kind_of_instrument(word: str) -> str:
    """Return the kind of instrument that a word states: a Rulebook has Rules."""
    return _SAME.get(word.lower(), word.lower())


@lru_cache
def akin(left: str, right: str) -> bool:
    """Return whether two kinds of instrument may describe the same document: a Manual may be Guidance."""
    return left == right or (tier_of([left]) == tier_of([right]) is not None)


def tidy(name: str) -> str:
    """Return a name without words that belong to the sentence: "The", "Under"."""
    previous = ""
    while previous != name:
        previous, name = name, _LEADING.sub("", " ".join(name.split()))
    return name


def is_code(name: str) -> bool:
    """Return whether a name is a short code."""
    return bool(re.fullmatch(CODE, name))
