"""What a change does to a rule, read from its words: a figure or word read as another, or a repeal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulerank.authority.amending import amending, amending_onwards, sentences_after, sentences_on_rule
from rulerank.authority.undated import undated
from rulerank.text import LANGUAGES, language_of, sentences, visible

MOST = 100
"""Substitutions of one text that are read: each is searched for in the whole rule."""

CHANGE_EXCEPTION = "|".join(f"(?i:{each.changes.change_exception.pattern})" for each in LANGUAGES)
"""How texts say when a change does not apply, in any language; Polars searches a whole rulebook for it."""

_NUMBER = re.compile(r"(?:^|(?<=[.;:,—–\0] )|(?<=[—–]))\((\d\w*)\) ")
"""The number of a paragraph, at its beginning."""
_END = re.compile(r"[.;] ")
_RULE = re.compile(r"\b\d+[A-Z]*(?:\.\d+[A-Z]*)*")
"""The number of a rule."""


@dataclass(frozen=True)
class Substitution:
    """Words that replace others; `old` is empty if the text does not quote the replaced words."""

    old: str
    new: str


def substitutions(text: str) -> list[Substitution]:
    """Return which words a change replaces with which, in reading order; empty if it replaces none."""
    words = language_of(text).changes
    matches = (match for pattern in words.substitutions for match in pattern.finditer(text))
    found: list[Substitution] = []
    end = 0
    for match in sorted(matches, key=lambda match: match.start()):
        if match.start() >= end and len(found) < MOST:
            found.append(Substitution(match["old"].strip(), match["new"].strip()))
            end = match.end()
    found = list(dict.fromkeys(found))
    if not found and words.new_alone and (alone := words.new_alone.search(text)):
        return [Substitution("", alone["new"].strip())]
    return found


def repeals(text: str, evidence: str = "") -> bool:
    """Return whether a change takes something out of force without replacing it.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so. By default all changes of the text are read.

    """
    said = amending(text, evidence).text
    return not substitutions(said) and language_of(said).changes.repeal.search(said) is not None


def revokes(text: str, evidence: str = "") -> bool:
    """Return whether a change ends a rule for good: the repeal of a repeal does not bring the rule back.

    A suspension, or what disapplies a rule, is lifted when it ends itself.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so. By default all changes of the text are read.

    """
    said = amending(text, evidence)
    return repeals(text, evidence) and not language_of(said.text).changes.suspension.search(said.plain)


def revives(text: str) -> bool:
    """Return whether a text brings back a rule that was repealed."""
    return language_of(text).changes.reviving.search(amending(text).plain) is not None


def renews(text: str, evidence: str = "") -> bool:
    """Return whether a text takes the place of a whole rule in its own words.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so, or the two dates of a rule and its newer version.

    """
    if stated_substitutions(text, evidence) or repeals(text, evidence) or limited(text, evidence):
        return False
    if evidence and evidence not in text:
        return True
    words = language_of(text).changes
    return words.new_rule.search(text) is not None or not words.changing.search(text)


def stated_substitutions(text: str, evidence: str) -> list[Substitution]:
    """Return the substitutions of a change, with those that follow it."""
    said = substitutions(amending(text, evidence).text)
    if said:
        more = (
            each for sentence in sentences_on_rule(text, evidence) for each in substitutions(sentence.text)
        )
        return list(dict.fromkeys([*said, *more]))
    return [] if repeals(text, evidence) else substitutions(amending_onwards(text, evidence))


def limited(text: str, evidence: str = "") -> bool:
    """Return whether a change adds words, takes out a part of a rule, or applies in some cases only.

    A change at a time that is not understood may not apply on the day, and what only announces changes does
    not say which.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so. By default each sentence that changes something is read.

    """
    plain = amending(text, evidence).plain
    words = language_of(text).changes
    announced = [words.announced(each) for each in ([plain] if evidence else sentences(plain))]
    changing = [each for each in announced if words.changing.search(each)]
    bare = [words.aside.sub("", each) for each in changing]
    return (
        any(words.limit.search(each) or undated(each) for each in bare)
        or (bool(changing) and _limited_beside(text, evidence))
        or _only_announces(text, evidence)
        or _changes_more(text, evidence)
    )


def _changes_more(text: str, evidence: str) -> bool:
    """Return whether a text changes a rule beyond a substitution: "(2) For “six” read “ten”. (3) Omit …"."""
    said, words = amending(text, evidence), language_of(text).changes
    announcing = words.announcing is not None and words.announcing.search(said.plain)
    return any(
        words.changing.search(each.plain) and not substitutions(each.text)
        for each in (sentences_after(text, evidence) if announcing else sentences_on_rule(text, evidence))
    )


def _only_announces(text: str, evidence: str) -> bool:
    """Return whether the changes that a text announces stand elsewhere: "Rule 1 is amended as follows"."""
    announcing = language_of(text).changes.announcing
    return announcing is not None and announcing.search(amending_onwards(text, evidence)) is not None


def _limited_beside(text: str, evidence: str) -> bool:
    """Return whether another sentence limits a change: "Paragraph (1) applies only to a ferry".

    So does one that saves the rule: "Rule 1 continues to apply to a ferry".
    """
    words = language_of(text).changes
    whole = amending(text)
    stated = " ".join(visible(evidence).split())
    place = whole.text.find(stated)
    if words.rider is None or words.saving is None or place < 0:
        return False
    said = words.announced(whole.plain)
    numbers = _NUMBER.findall(whole.plain, 0, place)
    changed = _RULE.findall(evidence)
    return any(
        not rider["of"] or not numbers or rider["of"] == numbers[-1] for rider in words.rider.finditer(said)
    ) or any(
        (not saving["of"] or not changed or saving["of"].split("(")[0] in changed)
        # "Rule 1 remains in force until 1 May 2030" is the change itself.
        and not place <= saving.start() < place + len(stated)
        # "It" is the rule only next to it.
        and not (saving["it"] and _END.search(said, place + len(stated), saving.start() - 2))
        for saving in words.saving.finditer(said)
    )


def in_one_place(text: str, evidence: str = "") -> bool:
    """Return whether a change replaces words in some of the places where they stand, as in the second.

    Parameters
    ----------
    text : str
        The passage that changes another.
    evidence : str, optional
        The words that say so. By default all changes of the text are read.

    """
    return language_of(text).changes.one_place.search(amending(text, evidence).plain) is not None


def excepts_from_change(text: str) -> bool:
    """Return whether a text says when a change does not apply and the earlier words still hold."""
    return re.search(CHANGE_EXCEPTION, text) is not None


def tells_of_repeal(text: str) -> bool:
    """Return whether the text of a claim says that a rule is no longer in force."""
    return language_of(text).changes.ended.search(text) is not None
