"""What a change does to a rule, read from its words: a figure or word read as another, or a repeal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulerank.authority.period import amending
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
_CHANGING = re.compile(
    r"\b(?:substitut|replac|repeal|revok|delet|omit|insert|add(?:ed|ing)\b|amended|modif"
    r"|ceases? to have effect|read\b|(?:has|have|takes?) effect as if|no longer appl)",
    re.I,
)
_NEW_RULE = re.compile(r"\b(?:following|substituted|replaced by)\b[^:]{0,40}:", re.I)
"""What the words of a new rule follow."""
_ASIDE = re.compile(r"(?<=[\d)]) \([^()]{1,200}\)")
"""What a rule is about, after its number."""
_LIMIT = re.compile(
    r"\b(?:(?<!\bas )if|unless"
    r"|where(?! (?:it|they|the words?|those words|that word) (?:first )?(?:occurs?|appears?)\b)"
    r"|so far as|insofar as|to the extent|modifications|in relation to|in the case of|as respects|except"
    r"|insert(?:s|ed|ing)|add(?:s|ed|ing)"
    r"|the (?:first|second|third|fourth|fifth|last|final) (?:sentence|paragraph|words?)"
    rf"|the words? \0+ {_BE} (?:hereby )?(?:repealed|revoked|deleted|omitted))\b",
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
    found = list(dict.fromkeys(found))
    if not found and (alone := _NEW_ALONE.search(text)):
        return [Substitution("", alone["new"].strip())]
    return found


def repeals(text: str) -> bool:
    """Return whether a text takes something out of force without replacing it."""
    return not substitutions(text) and _REPEAL.search(text) is not None


def renews(text: str, evidence: str = "") -> bool:
    """Return whether a text takes the place of a whole rule in its own words.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so, or the two dates of a rule and its newer version.

    """
    if substitutions(text) or repeals(text) or limited(text, evidence):
        return False
    newer = bool(evidence) and evidence not in text
    return newer or _NEW_RULE.search(text) is not None or not _CHANGING.search(text)


def stated_substitutions(text: str, evidence: str) -> list[Substitution]:
    """Return the substitutions of the sentence with the evidence of a change, or those of the whole text."""
    return substitutions(amending(text, evidence).text) or substitutions(text)


def limited(text: str, evidence: str = "") -> bool:
    """Return whether a change adds words, takes out a part of a rule, or applies in some cases only.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so. By default each sentence that changes something is read.

    """
    plain = amending(text, evidence).plain
    announced = map(_announced, [plain] if evidence else sentences(plain))
    return any(_CHANGING.search(each) and _LIMIT.search(_ASIDE.sub("", each)) for each in announced)


def _announced(sentence: str) -> str:
    """Return what a sentence says before the words of a new rule."""
    new = _NEW_RULE.search(sentence)
    return sentence[: new.end()] if new else sentence


def holds_off(text: str) -> bool:
    """Return whether a text says when a change does not apply and the earlier words still hold."""
    return _HELD.search(text) is not None
