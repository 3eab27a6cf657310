"""What a text says about what it cites: that it is made under it, delegates to it, or replaces it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulerank.graph.citations.grammar import Citing, Grammar, Relation
from rulerank.graph.citations.patterns import either
from rulerank.graph.citations.reader import Mention

_LOOK_BACK, _LOOK_AHEAD = 160, 100
_NEXT_TO = re.compile(r"[\s,(]*")
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

    def taken_back(self, text: str, start: int) -> bool:
        """Return whether what is before the relation says that it is not, or not yet, so."""
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
                _beginning([relation]),
                _ending(relation.unless, article),
            )
            for relation in grammar.relations
        ]
        # Most citations have none of these words around them; a single search shows this.
        self._any_before = _ending(
            [each for relation in grammar.relations for each in relation.before], article
        )
        self._any_after = _beginning(grammar.relations)
        self._delegation = re.compile(either(grammar.delegations))

    def delegates(self, text: str) -> bool:
        """Return whether `text` leaves something to subordinate rules without saying which."""
        return bool(self._delegation.search(text))

    def around(self, text: str, mentions: Sequence[Mention], place: int) -> Iterator[Relating]:
        """Yield each relation that the text states for the mention at `place`."""
        mention = mentions[place]
        previous = mentions[place - 1] if place else None
        reach = max(mention.start - _LOOK_BACK, previous.end if previous else 0)
        said_before = self._any_before.search(text, reach, mention.start)
        said_after = self._any_after.match(text, mention.end)
        if not said_before and not said_after:
            return
        for rule in self._rules:
            before = rule.before.search(text, reach, mention.start) if said_before else None
            followed = before and rule.followed.match(text, mention.start, mention.end + _LOOK_AHEAD)
            if before and followed and not rule.taken_back(text, before.start()):
                next_to = previous and _NEXT_TO.fullmatch(text, previous.end, before.start())
                subject = place - 1 if next_to else None
                yield Relating(rule.type, subject, rule.reverse, before.start(), mention.end)
            after = rule.after.match(text, mention.end) if said_after else None
            if after and not rule.taken_back(text, mention.start):
                yield Relating(rule.type, None, rule.reverse, mention.start, after.end())


def _ending(words: Iterable[str], article: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z])(?:{_spaced(either(words))})\s*{article}\Z")


def _beginning(relations: Iterable[Relation]) -> re.Pattern[str]:
    words = either(rf"{each.between}(?:{either(each.after)})" for each in relations if each.after)
    # What a rule is about may stand between its number and the words: "Rule 2 (rest periods) is repealed".
    return re.compile(rf"(?:\s?\([^()]{{1,200}}\))?\s*(?:{_spaced(words)})")


def _spaced(pattern: str) -> str:
    """Return a pattern in which a space stands for any white space: a line may end between two words."""
    return _SPACE.sub(lambda found: found["kept"] or r"(?:\s+)", pattern)
