"""What a text leaves as it is: "the Tug Rules, other than rule 2, are revoked"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.patterns import either


@dataclass(frozen=True)
class Exempt:
    """Citations that a text excepts from what it says before or after them."""

    start: int
    """Where its words begin: right after what it is an exception to."""
    places: range
    """Which mentions of the text are excepted, each with all or with some of what it says."""
    complete: bool
    """Whether they are the whole exception: "except rule 2 so far as it applies to a tug" excepts no rule."""


class Exceptions:
    """Finds the exceptions of a text.

    Parameters
    ----------
    grammar : Grammar
        Its `excepting` words.

    """

    def __init__(self, grammar: Grammar) -> None:
        said = grammar.excepting
        self._words = re.compile(rf"(?:{said.words})(?P<kept>{said.kept})" if said.words else "(?!)")
        joiner = either(grammar.lists.joiners)
        self._joined = re.compile(rf"\s*(?:(?:{joiner})\s*)?{grammar.pointing.article}")

    def read(self, text: str, mentions: Sequence[Mention]) -> list[Exempt]:
        """Return the exceptions, in reading order.

        Parameters
        ----------
        text : str
            The text.
        mentions : sequence of Mention
            Its citations, in reading order.

        """
        return [self._exempt(text, mentions, words) for words in self._words.finditer(text)]

    def _exempt(self, text: str, mentions: Sequence[Mention], words: re.Match[str]) -> Exempt:
        end = words.start("kept")
        first = last = bisect_left(mentions, end, key=lambda each: each.start)
        while last < len(mentions) and self._joined.fullmatch(text, end, mentions[last].start):
            end = mentions[last].end
            last += 1
        in_part = any(label.startswith("(") for each in mentions[first:last] for label in _labels(each))
        return Exempt(words.start(), range(first, last), not in_part and end >= words.end("kept"))


def _labels(mention: Mention) -> list[str]:
    return [label for ends in mention.numbers for number in ends for label in number]
