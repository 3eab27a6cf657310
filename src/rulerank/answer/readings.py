"""How the words of a rule are read on a day, once each change to it has put its words in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rulerank.answer.changes import Substitution, limited, stated_substitutions
from rulerank.authority.in_force import Voiding
from rulerank.authority.period import stated_since, stated_until
from rulerank.text import visible


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
    until : date, optional
        The last day of the change, if its words state one.

    """

    old: str
    new: str
    since: date | None
    by: tuple[str, ...]
    verb: str = "read as"
    until: date | None = None

    @property
    def note(self) -> str:
        """What stands in brackets after the words of the rule."""
        since = f" from {self.since.day} {self.since:%B %Y}" if self.since else ""
        until = f" until {self.until.day} {self.until:%B %Y}" if self.until else ""
        return f"[{self.verb} “{self.new}”{since}{until}]"


def annotated(text: str, read: Iterable[Reading]) -> str:
    """Return a text with the new words in brackets after the old ones, wherever these stand."""
    return _joined(
        text, [(end, end, f" {each.note}") for each in read for _, end in positions(text, each.old)]
    )


def reworded(text: str, said: Iterable[Substitution] | Iterable[Reading]) -> str:
    """Return a text with the new words in place of the old ones, wherever these stand."""
    return _joined(
        text, [(*place, each.new) for each in said if each.old for place in positions(text, each.old)]
    )


def _joined(text: str, put: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with words in place of its parts; a part inside an earlier one is left out."""
    parts: list[str] = []
    at = 0
    for start, end, words in sorted(put):
        if start >= at:
            parts += text[at:start], words
            at = end
    return "".join([*parts, text[at:]])


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
        The ids of the changes that are not such a substitution, or only in some cases, latest first.

    """
    found: list[Reading] = []
    others: dict[str, None] = {}
    for change in changes:
        # A passage may change both the rule and an earlier change to it; its words are applied once.
        if any(change.by in each.by for each in found):
            continue
        text_of_change = words[change.by]
        # Its substitutions are made at once: none continues another.
        before = list(found)
        whole = not limited(text_of_change, change.evidence)
        for said in stated_substitutions(text_of_change, change.evidence) if whole else ():
            place = _earlier(before, said, change)
            if place is not None:
                old, by = before[place].old, (change.by, *before[place].by)
                found[place] = _reading(old, said.new, change, text_of_change, by)
            elif said.old and stands(text, said.old):
                found.append(_reading(said.old, said.new, change, text_of_change, (change.by,)))
        if not any(change.by in each.by for each in found):
            others[change.by] = None
    return found, [each for each in reversed(others) if not any(each in read.by for read in found)]


def _reading(old: str, new: str, change: Voiding, words: str, by: tuple[str, ...]) -> Reading:
    verb = "which is to be read as" if "to be read as" in words else "read as"
    since, until = stated_since(words, change.evidence), stated_until(words, change.evidence)
    return Reading(old, new, since, by, verb, until)


def _earlier(found: Sequence[Reading], said: Substitution, change: Voiding) -> int | None:
    """Return the reading that a substitution continues, or that it makes again from the same words."""
    return next(
        (
            place
            for place, each in enumerate(found)
            if any(_same(words, said.old) for words in (each.new, each.old))
            or (not said.old and change.of in each.by)
        ),
        None,
    )


def positions(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield where `words` are in `text`, whatever their case and spacing; never inside a longer number."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    whole = rf"(?<!\w)(?<!\d[.,]){pattern}(?!\w)(?![.,]\d)"
    return (found.span() for found in re.finditer(whole, text, re.IGNORECASE))


def stands(text: str, words: str) -> bool:
    """Return whether `words` are in `text`."""
    return next(positions(text, words), None) is not None


def _same(one: str, other: str) -> bool:
    return visible(one).casefold().split() == visible(other).casefold().split()
