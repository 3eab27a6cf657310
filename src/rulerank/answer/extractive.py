"""Answers in the rules' own words: each duty of the kept passages, with the passages that state it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rulerank.passages import Passage
from rulerank.text import MARKER, modality, normalise, sentences

ABSTENTION = "Insufficient evidence in retrieved passages."
"""The whole answer when no kept passage states a duty (the sentence used in the ObliQA-MP paper)."""

DUTIES = frozenset({"prohibition", "obligation", "recommendation"})

_MARKED = re.compile(rf"^\s*(?P<marker>{MARKER.pattern})\s+", re.MULTILINE)
_ROMAN = re.compile(r"[ivxl]+|[IVXL]+")


@dataclass(frozen=True)
class Bullet:
    """One duty, or a change of one, and the numbers, from 1, of the passages that state it."""

    text: str
    passages: tuple[int, ...]

    def __str__(self) -> str:
        return f"- {self.text} " + "".join(f"[P{number}]" for number in self.passages)


@dataclass(frozen=True)
class Answer:
    """Every duty that answers a question, each bound to its passages.

    Parameters
    ----------
    bullets : tuple of Bullet
        The duties, by the rank of their first passage, then in reading order.
    sources : tuple of Passage
        The passages that the answer was taken from; the first is P1.

    """

    bullets: tuple[Bullet, ...]
    sources: tuple[Passage, ...]

    @property
    def text(self) -> str:
        """One line per bullet, or the abstention sentence when there is none."""
        return "\n".join(str(bullet) for bullet in self.bullets) or ABSTENTION


def extractive_answer(passages: Sequence[Passage]) -> Answer:
    """Collect the sentences that state an obligation, a prohibition or a recommendation.

    A sentence that leads into an enumeration takes its items with it, so that each bullet is a whole
    duty; where only an item states the duty, the bullet is the lead-in and that item. A passage that voids
    one of the quoted passages and states no duty itself ("is replaced by") is quoted whole.

    Parameters
    ----------
    passages : sequence of Passage
        The kept passages in ranked order; the first is P1.

    Returns
    -------
    Answer
        A duty that several passages state is one bullet that cites them all.

    """
    duties = [_stated(passage.text) for passage in passages]
    voiding = {
        each for passage, stated in zip(passages, duties, strict=True) if stated for each in passage.voided_by
    }
    cited: dict[str, tuple[str, list[int]]] = {}
    for number, (passage, stated) in enumerate(zip(passages, duties, strict=True), start=1):
        whole = " ".join(passage.text.split()) if passage.passage_id in voiding else ""
        for words in stated or filter(None, [whole]):
            numbers = cited.setdefault(normalise(words), (words, []))[1]
            if number not in numbers:
                numbers.append(number)
    bullets = (Bullet(words, tuple(numbers)) for words, numbers in cited.values())
    return Answer(tuple(bullets), tuple(passages))


@dataclass
class _Provision:
    """A sentence and the enumerated items below it."""

    text: str
    level: str | None = None
    items: list[_Provision] = field(default_factory=list)
    whole: bool = False
    """Whether a closing line refers back to all items, so that none is complete without the others."""

    def words(self) -> str:
        return " ".join([self.text, *(item.words() for item in self.items)])


def _stated(passage: str) -> list[str]:
    """Return the duties of a passage in reading order."""
    return [words for provision in _provisions(passage) for words in _duties(provision)]


def _duties(provision: _Provision, lead: str = "") -> Iterator[str]:
    """Yield each duty below `provision` in full, with the lead-in that governs it."""
    opening = f"{lead} {provision.text}".strip()
    if provision.items and not provision.whole and modality(provision.text) not in DUTIES:
        for item in provision.items:
            yield from _duties(item, opening)
    else:
        words = f"{lead} {provision.words()}".strip()
        if modality(words) in DUTIES:
            yield words


def _provisions(passage: str) -> list[_Provision]:
    """Read the sentences of a passage, each enumeration below the sentence that leads into it."""
    roots: list[_Provision] = []
    path: list[_Provision] = []  # the open provision and, below it, its open items
    # A marker may be on a line of its own, above its item.
    for line in _MARKED.sub(r"\g<marker> ", passage).splitlines():
        parts = sentences(line)
        if not parts:
            continue
        level = None
        opened = bool(path) and (bool(path[0].items) or _leads(path[0].text))
        if mark := _MARKED.match(parts[0]):
            level = _level(mark["marker"], path)
            depth = next((at for at, provision in enumerate(path) if provision.level == level), len(path))
            if opened and depth > 0:
                item = _Provision(" ".join(parts), level)
                path[depth - 1].items.append(item)
                path[depth:] = [item]
                continue
            parts[0] = parts[0][mark.end() :]
        elif opened and parts[0][0].islower():
            path[0].items.append(_Provision(parts.pop(0)))
            path[0].whole = True
            if not parts:
                continue
        roots.extend(_Provision(part) for part in parts)
        roots[-1].level = level
        path = [roots[-1]]
    return roots


def _leads(sentence: str) -> bool:
    """Whether `sentence` leaves something open that the lines after it complete."""
    return sentence[-1] in ":;,—–-" or (sentence[-1] not in ".!?。" and modality(sentence) is not None)


def _level(marker: str, path: Sequence[_Provision]) -> str:
    """Return the form of a marker, the same for all items of a list: "(1)", "(a)", "(A)", "(i)", "•"."""
    label = marker.strip("().")
    if not label.isalnum():
        return marker
    if _ROMAN.fullmatch(label) and not _follows_letter(label, marker, path):
        first = "i"
    else:
        first = "1" if label.isdigit() else "a"
    return marker.replace(label, first.upper() if label.isupper() else first)


def _follows_letter(label: str, marker: str, path: Sequence[_Provision]) -> bool:
    """Whether "(i)" is the letter after an open "(h)" rather than the first Roman number below it."""
    before = marker.replace(label, chr(ord(label[0]) - 1))
    return len(label) == 1 and any(
        item.text.startswith(before) and not item.items and item.text[-1] != ":" for item in path
    )
