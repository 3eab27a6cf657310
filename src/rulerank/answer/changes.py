"""What a change does to a rule, read from its words: a figure or word read as another, or a repeal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulerank.text import sentences

MOST = 100
"""Substitutions of one text that are read: each is searched for in the whole rule."""

_INSIDE = r"(?:[^\"“”‘’']|(?<=\w)[’'](?=\w)|(?<=s)[’'](?= \w))"
"""A character between single quotation marks; apostrophes in a word or after a plural's s are no marks."""


def _quoted(name: str) -> str:
    """Return the pattern of quoted words, which ends at the first mark that can close what was opened."""
    double = f"{name}_double"
    return (
        rf"(?:(?P<{double}>[\"“])|(?<!\w)[‘'])(?P<{name}>(?({double})[^\"“”]|{_INSIDE}){{1,300}}?)"
        rf"(?({double})[\"”]|[’'](?!\w))"
    )


_OLD, _NEW = _quoted("old"), _quoted("new")
_BE = r"(?:is|are|was|were|shall be|ha(?:s|ve) been)"
_SUBSTITUTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\bfor (?:the words? )?{_OLD},? (?:(?:in|wherever|where) [^“\"]{{1,80}}? )?"
        rf"(?:(?:there )?{_BE} substituted|substitute) {_NEW}",
        rf"\bsubstitut(?:e|ing) (?:the words? )?{_NEW} for (?:the words? )?{_OLD}",
        rf"\breplac(?:e|ing) (?:the words? )?{_OLD} (?:by|with) {_NEW}",
        rf"\bas if (?:for )?{_OLD}(?: there)? (?:read|were|were substituted) {_NEW}",
        rf"{_OLD}[^“\"”]{{0,200}}? {_BE} (?:to be )?(?:replaced (?:by|with)|read as) {_NEW}",
        r"\bthe (?P<what>\w+) of (?P<old>[^,;.]{1,60}?) (?:in|under|of) [^;]{1,120}? ceases to have "
        r"effect,? and the (?P=what) is (?P<new>[^;.]{1,60})",
    )
)
_NEW_ALONE = re.compile(
    r"\bceases? to have effect[.;,]? (?:and )?the \w+ (?:in|under|of) [^;]{1,120}? is (?P<new>[^;.]{1,60})",
    re.I,
)
_REPEAL = re.compile(
    rf"\b(?:{_BE} (?:hereby )?(?:repealed|revoked|deleted|omitted|withdrawn|cancelled)"
    r"|ceases? to have effect|no longer appl(?:y|ies)|(?:repeals?|revokes?) )\b(?! and replace[ds]?)",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:has|have) no effect (?:where|when|if|in)\b|\bcontinues? to (?:apply|have effect) as it stood\b",
    re.I,
)
_QUOTES = re.compile(r"“[^“”]*”|\"[^\"]*\"")
_CHANGING = re.compile(
    r"\b(?:substitut|replac|repeal|revok|delet|omit|insert|add(?:ed|ing)\b|amended|modif|cease|read\b|effect\b)",
    re.I,
)
_LIMIT = re.compile(
    r"\b(?:(?<!\bas )if|unless|where(?! (?:it|they) (?:first )?(?:occurs?|appears?)\b)|so far as|insofar as"
    r"|to the extent|modifications|in relation to|in the case of|as respects|except"
    r"|insert(?:s|ed|ing)|add(?:s|ed|ing)"
    r"|the (?:first|second|third|fourth|fifth|last|final) (?:sentence|paragraph|words?)"
    rf"|the words? “” {_BE} (?:hereby )?(?:repealed|revoked|deleted|omitted))\b",
    re.I,
)
"""Where or to what a change is limited, in a sentence without its quotations."""


@dataclass(frozen=True)
class Substitution:
    """Words that replace others; `old` is empty if the text does not quote the replaced words."""

    old: str
    new: str


def substitutions(text: str) -> list[Substitution]:
    """Return which words a change replaces with which, in reading order; empty if it replaces none."""
    matches = (match for pattern in _SUBSTITUTIONS for match in pattern.finditer(text))
    found: list[Substitution] = []
    end = 0
    for match in sorted(matches, key=re.Match.start):
        if match.start() >= end and len(found) < MOST:
            found.append(Substitution(match["old"].strip(), match["new"].strip()))
            end = match.end()
    if not found and (alone := _NEW_ALONE.search(text)):
        return [Substitution("", alone["new"].strip())]
    return found


def repeals(text: str) -> bool:
    """Return whether a text takes something out of force without replacing it."""
    return not substitutions(text) and _REPEAL.search(text) is not None


def limited(text: str) -> bool:
    """Return whether a change adds words, takes out a part of a rule, or applies in some cases only."""
    plain = _QUOTES.sub("“”", text)
    return any(_LIMIT.search(each) for each in sentences(plain) if _CHANGING.search(each))


def holds_off(text: str) -> bool:
    """Return whether a text says when a change does not apply and the earlier words still hold."""
    return _HELD.search(text) is not None
