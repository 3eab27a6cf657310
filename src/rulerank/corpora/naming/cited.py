"""What texts call other documents: the names that mean the same one, and the sections cited from it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from rulerank.corpora.naming.words import CODE, DIVISION, INSTRUMENT, NAME, NUMBER, Key, is_code, key_of, tidy

_DEFINED = re.compile(
    rf"(?<![\w&-])(?P<name>{NAME})\s*\(\s*(?:the |together,? )?[\"“‘]?(?P<code>{CODE})[\"”’]?\s*\)"
)
_MEANS = re.compile(
    rf"(?m)(?:^|[\"“])(?P<code>{CODE})[\"”]?\s+(?:[Mm]eans|refers to)\s+(?:the\s+)?(?P<name>{NAME})"
)
_LISTED = re.compile(
    rf"(?m)^(?P<name>{NAME})\s*\((?P<code>{CODE})\)\t(?:[Mm]eans )?(?:[Tt]he )?(?P<other>{NAME})"
)
_CODED = re.compile(rf"\b(?P<code>{CODE})(?P<kind> {INSTRUMENT})?(?: {DIVISION})? (?P<number>{NUMBER})(?!\w)")
_OF = re.compile(
    rf"\b{DIVISION} (?P<number>{NUMBER})(?:\s?\(\w{{1,4}}\))*(?:(?:\s?[-–]\s?| to | and | or |, ){NUMBER})*"
    rf" (?:of|in) (?:the )?(?P<name>{NAME})"
)
_TITLED = re.compile(rf"\b(?P<name>{NAME} {INSTRUMENT}(?: and {INSTRUMENT})?(?: \d{{4}})?)(?!\w)")

_LABEL = re.compile(
    r"(?i)(?:rule|section|chapter|part|article|regulation|paragraph|schedule|annex|form|table|app(?:endix)?\d*)s?"
)


@dataclass
class Cited:
    """One document as others name it.

    Parameters
    ----------
    names : Counter of str, optional
        How often each of its names occurs.
    numbers : set of str, optional
        The section numbers that are cited from it.

    """

    names: Counter[str] = field(default_factory=Counter)
    numbers: set[str] = field(default_factory=set)

    @property
    def keys(self) -> set[Key]:
        """The keys of its names."""
        return {key_of(name) for name in self.names}

    @property
    def kind(self) -> str:
        """The kind of instrument that its names state most often, empty if they state none."""
        said: Counter[str] = Counter()
        for name, count in self.names.items():
            said[key_of(name).kind] += count
        del said[""]
        return said.most_common(1)[0][0] if said else ""


def cited_documents(texts: Iterable[str]) -> list[Cited]:
    """Return the documents that texts cite or name; names that are defined as one another go together.

    Parameters
    ----------
    texts : iterable of str
        The visible texts of all passages.

    """
    names: defaultdict[Key, Counter[str]] = defaultdict(Counter)
    numbers: defaultdict[Key, set[str]] = defaultdict(set)
    joined = _Joined()
    for text in texts:
        for match in (*_DEFINED.finditer(text), *_MEANS.finditer(text), *_LISTED.finditer(text)):
            given = [tidy(name) for name in match.groupdict().values()]
            for name in given:
                names[key_of(name)][name] += 1
                joined.join(key_of(given[0]), key_of(name))
        for match in _CODED.finditer(text):
            if _LABEL.fullmatch(match["code"]):
                continue
            names[key_of(match["code"])][match["code"]] += 1
            numbers[key_of(match["code"])].add(match["number"])
        for match in _OF.finditer(text):
            name = tidy(match["name"])
            names[key_of(name)][name] += 1
            numbers[key_of(name)].add(match["number"])
        for match in _TITLED.finditer(text):
            name = tidy(match["name"])
            names[key_of(name)][name] += 1
            if is_code(first := name.split()[0]) and len(key_of(name).words) == 1:
                joined.join(key_of(first), key_of(name))
    found: defaultdict[Key, Cited] = defaultdict(Cited)
    for key in sorted(names):
        if key.words:
            one = found[joined.find(key)]
            one.names.update(names[key])
            one.numbers.update(numbers[key])
    return list(found.values())


class _Joined:
    """Disjoint sets of keys, one set per document."""

    def __init__(self) -> None:
        self._parent: dict[Key, Key] = {}

    def find(self, key: Key) -> Key:
        while key in self._parent:
            key = self._parent[key]
        return key

    def join(self, left: Key, right: Key) -> None:
        left, right = self.find(left), self.find(right)
        if left != right and left.words and right.words:
            self._parent[max(left, right)] = min(left, right)
