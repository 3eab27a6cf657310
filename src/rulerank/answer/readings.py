"""How the words of a rule are read on a day, once each change to it has put its words in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rulerank.answer.changes import Substitution, in_one_place, limited, renews, stated_substitutions
from rulerank.authority.in_force import Voiding
from rulerank.authority.period import stated_since, stated_until
from rulerank.text import language_of, visible
from rulerank.text.korean import KOREAN


@dataclass(frozen=True)
class Reading:
    """Words of a rule, and how they are read on a day.

    Parameters
    ----------
    old, new : str
        The words of the rule, and those that they are read as.
    since : date or None
        The first day of the change, if its words state one.
    by : tuple of str
        The ids of the passages that say so, latest first.
    verb : str, optional (default="read as")
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
        if language_of(self.new) is KOREAN:
            return self._note_in_korean
        since = f" from {self.since.day} {self.since:%B %Y}" if self.since else ""
        until = f" until {self.until.day} {self.until:%B %Y}" if self.until else ""
        return f"[{self.verb} “{self.new}”{since}{until}]"

    @property
    def _note_in_korean(self) -> str:
        since = f" {_korean_day(self.since)}부터" if self.since else ""
        until = f" {_korean_day(self.until)}까지" if self.until else ""
        return f"[→ “{self.new}”{since}{until}]"


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


@dataclass(frozen=True)
class Wording:
    """How a rule is worded on a day.

    Parameters
    ----------
    versions : tuple of str
        The ids of the rule and of the passages that took its place in their own words, earliest first.
    readings : tuple of Reading
        The words of the last version that are read differently.
    others : tuple of str
        The ids of the changes that are neither, or only in some cases, latest first. A change that may be
        later than the last version is among them.
    gone : tuple of str, optional
        The ids of the changes that the last version has overtaken.

    """

    versions: tuple[str, ...]
    readings: tuple[Reading, ...]
    others: tuple[str, ...]
    gone: tuple[str, ...] = ()


def wording(rule_id: str, changes: Iterable[Voiding], words: Mapping[str, str]) -> Wording:
    """Apply the changes to a rule, one after the other.

    Parameters
    ----------
    rule_id : str
        The rule.
    changes : iterable of Voiding
        The changes to it and the changes to those, earliest first.
    words : mapping of str to str
        The texts of the rule and of the changing passages, by id.

    """
    versions = [rule_id]
    found: list[Reading] = []
    others: dict[str, Voiding] = {}
    made: dict[str, Voiding] = {}
    gone: list[str] = []
    for change in changes:
        # A passage may change both the rule and an earlier change to it; its words are applied once.
        if change.by in versions or any(change.by in each.by for each in found):
            continue
        if change.by not in made or change.of in versions:
            made[change.by] = change
        whole = change.of in versions and not change.in_part and not change.appointed
        if whole and renews(words[change.by], change.evidence):
            earlier = dict.fromkeys([*(each for read in found for each in read.by), *others, *versions[1:]])
            overtaken = [each for each in earlier if _overtaken(made[each], change, words[each])]
            others = {each: made[each] for each in earlier if each not in overtaken}
            gone += overtaken
            found = []
            versions.append(change.by)
        elif not _applied(found, change, words[versions[-1]], words[change.by]):
            others[change.by] = change
    left = [each for each in reversed(others) if not any(each in read.by for read in found)]
    return Wording(tuple(versions), tuple(found), tuple(left), tuple(gone))


def _overtaken(earlier: Voiding, later: Voiding, words: str) -> bool:
    """Return whether a change for all cases is known to have been made before a rule was worded anew."""
    known = earlier.since is not None and later.since is not None and earlier.since < later.since
    return known and not partial(earlier, words)


def partial(change: Voiding, words: str) -> bool:
    """Return whether a change, by its words, is to a part of a rule, or in some cases only."""
    return (
        change.in_part
        or change.appointed
        or limited(words, change.evidence)
        or in_one_place(words, change.evidence)
    )


def _applied(found: list[Reading], change: Voiding, text: str, words: str) -> bool:
    """Add the substitutions of a change to the readings of a text; return whether there are any."""
    if change.appointed or limited(words, change.evidence):
        return False
    made = stated_substitutions(words, change.evidence)
    if in_one_place(words, change.evidence) and any(_places(text, said.old) > 1 for said in made if said.old):
        return False
    # The substitutions of one change are made at once: none continues another.
    before = list(found)
    for said in made:
        place = _earlier(before, said, change)
        if place is not None:
            old, by = before[place].old, (change.by, *before[place].by)
            found[place] = _reading(old, said.new, change, words, by)
        elif said.old and _meant(text, said.old, change):
            found.append(_reading(said.old, said.new, change, words, (change.by,)))
    return any(change.by in each.by for each in found)


def _meant(text: str, old: str, change: Voiding) -> bool:
    """Return whether it is known that a text holds the words that a change replaces."""
    places = _places(text, old)
    return places == 1 if change.in_part else places > 0


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
    # A Korean noun and its particle are one word: "12시간을".
    ending = r"(?![^\W가-힣])" if "가" <= words[-1:] <= "힣" else r"(?!\w)"
    whole = rf"(?<!\w)(?<!\d[.,]){pattern}{ending}(?![.,]\d)"
    return (found.span() for found in re.finditer(whole, text, re.IGNORECASE))


def _places(text: str, words: str) -> int:
    """Return how often `words` are in `text`."""
    return sum(1 for _ in positions(text, words))


def stands(text: str, words: str) -> bool:
    """Return whether `words` are in `text`."""
    return next(positions(text, words), None) is not None


def _korean_day(day: date) -> str:
    return f"{day.year}년 {day.month}월 {day.day}일"


def _same(one: str, other: str) -> bool:
    return visible(one).casefold().split() == visible(other).casefold().split()
