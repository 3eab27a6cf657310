"""What a text says about what it cites: that it is made under it, delegates to it, or replaces it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.patterns import either
from rulerank.graph.citations.relating import Citing, Relation
from rulerank.graph.citations.spans import quoted

_LOOK_BACK, _LOOK_AHEAD = 160, 100
_IN_A_ROW = 100
"""The most mentions before or after one that may share their words with it."""
_MARKER = re.compile(r"\s*(?:\(\w{1,5}\)\s*)?")
_NEXT_TO = re.compile(r"[\s(]*")
_SPACE = re.compile(r"(?P<kept>\\.|\[(?:\\.|[^\]])*\]|\(\?<[=!][^()]*\))| ")
"""A space of a pattern, or what may hold one of its own: an escape, a set, a lookbehind."""


@dataclass(frozen=True)
class Relating:
    """The words of a relation around one mention."""

    type: Citing
    subject: int | None
    """Which mention of the text is related to it; None means the citing passage itself."""
    reverse: bool
    start: int
    end: int
    """The span of the words together with the mention."""


@dataclass(frozen=True)
class _Rule:
    """One relation of a grammar, compiled."""

    type: Citing
    reverse: bool
    before: re.Pattern[str]
    followed: re.Pattern[str]
    after: re.Pattern[str]
    unless: re.Pattern[str]

    def is_denied(self, text: str, start: int, lead: str) -> bool:
        """Return whether the words before a relation say that it does not hold, or not yet."""
        if lead and _MARKER.fullmatch(text, 0, start):
            text = f"{lead} {text[:start]}"
            start = len(text)
        return self.unless.search(text, max(0, start - _LOOK_BACK), start) is not None


class Relations:
    """Finds the words that relate a citation to what comes before it.

    Parameters
    ----------
    grammar : Grammar
        Its relations and delegations.

    """

    def __init__(self, grammar: Grammar) -> None:
        article = grammar.pointing.article
        self._rules = [
            _Rule(
                relation.type,
                relation.reverse,
                _ending(relation.before, article),
                re.compile(_spaced(relation.followed)),
                _beginning([relation], grammar.excepting.clause),
                _ending(relation.unless, article),
            )
            for relation in grammar.relations
        ]
        # Most citations have none of these words around them; a single search shows this.
        self._any_before = _ending(
            [each for relation in grammar.relations for each in relation.before], article
        )
        self._any_after = _beginning(grammar.relations, grammar.excepting.clause)
        self._delegation = re.compile(either(grammar.delegations))
        self._inside = re.compile(grammar.pointing.inside or "(?!)")
        shared = grammar.shared
        self._between, self._last = (
            re.compile(_spaced(either(each))) for each in ([*shared.between, *shared.last], shared.last)
        )
        self._single = re.compile(_spaced(shared.single or "(?!)"))
        self._closing = re.compile(_spaced(shared.closing))

    def delegates(self, text: str) -> bool:
        """Return whether `text` leaves something to subordinate rules without saying which."""
        return bool(self._delegation.search(text))

    def around(
        self, text: str, mentions: Sequence[Mention], place: int, lead: str = ""
    ) -> Iterator[Relating]:
        """Yield each relation that the text states for the mention at `place`.

        Mentions in a row share the words before the first, or after the last. What opens an item of a list is
        read after its lead-in: "The Board must consult before:", "(a) repealing rule 1;".
        """
        mention = mentions[place]
        opening, last = self._in_a_row(text, mentions, place)
        closed = opening == place or self._closing.match(text, mentions[last].end)
        first = opening if closed else place
        single = self._single.match(text, mentions[last].end)
        last = place if single else last
        begun, ended = mentions[first].start, mentions[last].end
        previous = mentions[first - 1] if first else None
        reach = max(begun - _LOOK_BACK, previous.end if previous else 0)
        said_before = self._any_before.search(text, reach, begun)
        said_after = self._any_after.match(text, ended)
        if (not said_before and not said_after) or quoted(text, mention.start):
            return
        for rule in self._rules:
            before = rule.before.search(text, reach, begun) if said_before else None
            followed = before and rule.followed.match(text, begun, ended + _LOOK_AHEAD)
            if before and followed and not rule.is_denied(text, before.start(), lead):
                next_to = previous and _NEXT_TO.fullmatch(text, previous.end, before.start())
                subject = first - 1 if next_to else None
                yield Relating(rule.type, subject, rule.reverse, before.start(), mention.end)
            after = rule.after.match(text, ended) if said_after else None
            subjects = self._subjects(text, mentions, opening, place) if after else ()
            is_denied = [rule.is_denied(text, start, lead) for start in subjects]
            if after and not (any(is_denied) if single else all(is_denied)):
                yield Relating(rule.type, None, rule.reverse, mention.start, after.end())

    def _subjects(self, text: str, mentions: Sequence[Mention], first: int, place: int) -> list[int]:
        """Return where the subject of a mention may begin: "Subject to rule 1, rule 2 and rule 3 are …"."""
        after_comma = (
            next_to
            for each, next_to in pairwise(mentions[first : place + 1])
            if not self._last.fullmatch(text, each.end, next_to.start)
        )
        outer = mentions[first - 1] if first else None
        inside = self._inside.match(text, outer.end) if outer else None
        # "If Article 3, paragraph 2, is replaced"
        within = outer if inside and inside.end() == mentions[first].start else None
        return [(within or mentions[first]).start, *(each.start for each in after_comma)]

    def _in_a_row(self, text: str, mentions: Sequence[Mention], place: int) -> tuple[int, int]:
        """Return the first and the last place of the mentions that share their words with one of them."""
        first = last = place
        least, most = max(0, place - _IN_A_ROW), min(len(mentions) - 1, place + _IN_A_ROW)
        while first > least and self._between.fullmatch(text, mentions[first - 1].end, mentions[first].start):
            first -= 1
        while last < most and self._between.fullmatch(text, mentions[last].end, mentions[last + 1].start):
            last += 1
        if first < last and self._closes(text, mentions[last - 1], mentions[last]):
            return first, last
        return place, place

    def _closes(self, text: str, before: Mention, mention: Mention) -> bool:
        """Return whether a mention ends a list: "…, and rule 3", "…, rules 3 and 4 are"."""
        if self._last.fullmatch(text, before.end, mention.start):
            return True
        return before.kind == mention.kind and not self._single.match(text, mention.end)


def _ending(words: Iterable[str], article: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{_spaced(either(words))})\s*{article}\Z")


def _beginning(relations: Iterable[Relation], excepting: str) -> re.Pattern[str]:
    words = either(rf"{each.between}(?:{either(each.after)})" for each in relations if each.after)
    # What a rule is about may stand between its number and the words: "Rule 2 (rest periods) is repealed".
    return re.compile(rf"(?:\s?\([^()]{{1,200}}\))?{excepting}\s*(?:{_spaced(words)})")


def _spaced(pattern: str) -> str:
    """Return a pattern in which a space stands for any white space: a line may end between two words."""
    return _SPACE.sub(lambda found: found["kept"] or r"(?:\s+)", pattern)
