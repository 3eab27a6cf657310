"""What a text says of what it cites: that it is made under it, leaves a matter to it, or takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulerank.graph.citations.grammar import Citing, Grammar
from rulerank.graph.citations.patterns import either
from rulerank.graph.citations.reader import Mention

_LOOK_BACK, _LOOK_AHEAD = 160, 100
_NEXT_TO = re.compile(r"[\s,(]*")


@dataclass(frozen=True)
class Relating:
    """The words of a relation around one mention."""

    type: Citing
    subject: int | None
    """Which mention of the text is said to be related to it; None: the citing passage itself."""
    reverse: bool
    start: int
    end: int
    """The span of the words, with the mention."""


class Relations:
    """Finds the words that relate a citation to what comes before it.

    Parameters
    ----------
    grammar : Grammar
        Its relations and delegations.

    """

    def __init__(self, grammar: Grammar) -> None:
        self._rules = [
            (
                relation.type,
                relation.reverse,
                re.compile(rf"(?:{either(relation.before)})\s*(?:the\s+)?"),
                re.compile(rf"\s*(?:{either(relation.after)})"),
            )
            for relation in grammar.relations
        ]
        self._delegation = re.compile(either(grammar.delegations))

    def delegates(self, text: str) -> bool:
        """Return whether `text` leaves something to subordinate rules without saying which."""
        return bool(self._delegation.search(text))

    def around(self, text: str, mentions: Sequence[Mention], place: int) -> Iterator[Relating]:
        """Yield each relation that is said of the mention at `place` of a text's mentions."""
        mention = mentions[place]
        previous = mentions[place - 1] if place else None
        reach = max(mention.start - _LOOK_BACK, previous.end if previous else 0)
        for kind, reverse, before, after in self._rules:
            for match in before.finditer(text, reach, mention.end + _LOOK_AHEAD):
                if match.start() >= mention.start:
                    break
                if match.end() == mention.start:
                    next_to = previous and _NEXT_TO.fullmatch(text, previous.end, match.start())
                    subject = place - 1 if next_to else None
                    yield Relating(kind, subject, reverse, match.start(), mention.end)
                    break
            if said := after.match(text, mention.end):
                yield Relating(kind, None, reverse, mention.start, said.end())
