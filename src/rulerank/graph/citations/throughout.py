"""What a lead-in says is amended, and words that are replaced in all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.register import Documents


@dataclass(frozen=True)
class Announcement:
    """What is amended in the words that follow."""

    end: int
    """Where the lead-in ends in the text that is read; 0 if it is that of an earlier passage."""
    documents: Documents | None
    """None for the document itself; several if it is not said which; empty if the corpus lacks it."""
    section: Mention | None = None
    """The section of it that is amended, if that is said: "Rule 1 is amended as follows"."""
    until: int | None = None
    """Where it ends to hold, if that is in the same text: "in the Tug Rules, omit rule 1. Rule 2 …"."""


@dataclass(frozen=True)
class Rewording:
    """Words that are replaced wherever a document has them."""

    document: str
    words: re.Pattern[str]
    start: int
    end: int
    """The span of the text that says so, with what it excepts."""


class Throughout:
    """Finds what a text replaces wherever it occurs: "in the Tug Rules, for “tug”, wherever it occurs, …".

    Parameters
    ----------
    grammar : Grammar
        Its `throughout` and `excepting`.

    """

    def __init__(self, grammar: Grammar) -> None:
        self._said = re.compile(rf"{grammar.throughout or '(?!)(?P<name>)'}{grammar.excepting.clause}")

    def read(
        self, text: str, mentions: Sequence[Mention], announced: Sequence[Announcement]
    ) -> Iterator[Rewording]:
        """Yield what a text replaces in each document that is amended as a whole.

        What follows a citation is about the section that it cites.

        Parameters
        ----------
        text : str
            The text.
        mentions : sequence of Mention
            Its citations.
        announced : sequence of Announcement
            What is amended in the words that follow, in reading order.

        """
        for each, then in pairwise([*announced, None]):
            if each is None or each.section or not each.documents or len(each.documents) > 1:
                continue
            stops = [len(text), *filter(None, [each.until, then.end if then else None])]
            for said in self._said.finditer(text, each.end, min(stops)):
                if not any(each.end <= mention.start < said.start() for mention in mentions):
                    words = r"\s+".join(map(re.escape, said["name"].split()))
                    found = re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)
                    yield Rewording(each.documents[0], found, said.start(), said.end())
