"""What a change does to a rule, read from its words: a figure or word read as another, or a repeal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from rulerank.authority.in_force import Voiding, stated_since
from rulerank.text import visible

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
_BE = r"(?:is|are|shall be|were)"
_SUBSTITUTIONS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"\bfor (?:the words? )?{_OLD},? (?:in [^“\"]{{1,80}}? )?(?:there )?{_BE} substituted {_NEW}",
        rf"\bsubstitut(?:e|ing) (?:the words? )?{_NEW} for (?:the words? )?{_OLD}",
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
    rf"\b(?:{_BE} (?:hereby )?(?:repealed|revoked|deleted|withdrawn|cancelled)|ceases? to have effect"
    r"|(?:repeals?|revokes?) )\b(?! and replaces?)",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\b(?:has|have) no effect (?:where|when|if|in)\b|\bcontinues? to (?:apply|have effect) as it stood\b",
    re.I,
)


@dataclass(frozen=True)
class Substitution:
    """Words that replace others; `old` is empty if the text does not quote the replaced words."""

    old: str
    new: str


def substitution(text: str) -> Substitution | None:
    """Return which words a change replaces with which, or None if it states no substitution."""
    for pattern in _SUBSTITUTIONS:
        if found := pattern.search(text):
            return Substitution(found["old"].strip(), found["new"].strip())
    found = _NEW_ALONE.search(text)
    return Substitution("", found["new"].strip()) if found else None


def repeals(text: str) -> bool:
    """Return whether a text takes something out of force without replacing it."""
    return substitution(text) is None and _REPEAL.search(text) is not None


def holds_off(text: str) -> bool:
    """Return whether a text says when a change does not apply and the earlier words still hold."""
    return _HELD.search(text) is not None


@dataclass(frozen=True)
class Reading:
    """Words of a rule, and how they are read on a day.

    Parameters
    ----------
    old, new : str
        The words of the rule, and those that they are read as.
    since : date, optional
        The first day of the change, if its words state one.
    by : tuple of str
        The ids of the passages that say so, latest first.
    verb : str
        The verb that the latest of them uses.

    """

    old: str
    new: str
    since: date | None
    by: tuple[str, ...]
    verb: str = "read as"

    def within(self, text: str) -> str:
        """Return a text with the new words in brackets after the old ones."""
        place = position(text, self.old)
        if place is None:
            return text
        since = f" from {self.since.day} {self.since:%B %Y}" if self.since else ""
        return f"{text[: place[1]]} [{self.verb} “{self.new}”{since}]{text[place[1] :]}"


def readings(
    text: str, changes: Iterable[Voiding], words: Mapping[str, str]
) -> tuple[list[Reading], list[str]]:
    """Apply the changes to a rule, one after the other.

    Parameters
    ----------
    text : str
        The rule.
    changes : iterable of Voiding
        The changes to it and the changes to those, earliest first.
    words : mapping of str to str
        The texts of the changing passages, by id.

    Returns
    -------
    readings : list of Reading
        The words of the rule that are read differently.
    others : list of str
        The ids of the changes that are not such a substitution, latest first.

    """
    found: list[Reading] = []
    others: dict[str, None] = {}
    for change in changes:
        said = substitution(words[change.by])
        place = None if said is None else _earlier(found, said, change)
        if said is None:
            others[change.by] = None
        elif place is not None:
            before = found[place]
            by = (change.by, *(each for each in before.by if each != change.by))
            found[place] = _reading(before.old, said.new, words[change.by], by)
        elif said.old and position(text, said.old) is not None:
            found.append(_reading(said.old, said.new, words[change.by], (change.by,)))
        elif not any(change.by in each.by for each in found):
            others[change.by] = None
    return found, [each for each in reversed(others) if not any(each in read.by for read in found)]


def _reading(old: str, new: str, change: str, by: tuple[str, ...]) -> Reading:
    verb = "which is to be read as" if "to be read as" in change else "read as"
    return Reading(old, new, stated_since(change), by, verb)


def _earlier(found: list[Reading], said: Substitution, change: Voiding) -> int | None:
    """Return the reading that a substitution continues."""
    return next(
        (
            place
            for place, each in enumerate(found)
            if _same(each.new, said.old) or (not said.old and change.of in each.by)
        ),
        None,
    )


def position(text: str, words: str) -> tuple[int, int] | None:
    """Return where `words` are in `text`, whatever their case and spacing."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE)
    return found.span() if found else None


def _same(one: str, other: str) -> bool:
    return visible(one).casefold().split() == visible(other).casefold().split()
