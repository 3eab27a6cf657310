"""What a claim rests on: the passages it cites, and the statements in them that support it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from rulerank.answer.changes import substitutions
from rulerank.answer.claims import Claim, Quote
from rulerank.answer.readings import reworded
from rulerank.answer.verification.figures import Figure, figures
from rulerank.answer.verification.force import disagreement, stems
from rulerank.authority.period import days_of
from rulerank.obligations import Span, statements
from rulerank.passages import Passage
from rulerank.text import sentences

_NOTE = re.compile(r" ?\[[^\[\]]*\]")
"""What an answer notes in brackets: how words are read now, and passages that hold beside a rule."""

NEARLY = 0.8
"""A statement supports a claim too if it shares this much of what the best one shares with the claim."""


@dataclass(frozen=True)
class Evidence:
    """A claim and the passages that it cites.

    Parameters
    ----------
    claim : Claim
        Each of its passages was shown.
    cited : sequence of Passage
        The passages, in the order of the citation.

    """

    claim: Claim
    cited: Sequence[Passage]

    @property
    def verbatim(self) -> bool:
        """Whether the claim consists only of its quotes, in order, apart from white space."""
        quoted = " ".join(self.quoted)
        return bool(quoted) and quoted.split() == self.claim.text.split()

    @cached_property
    def quoted(self) -> list[str]:
        """The words of each quote."""
        return [self._texts[quote.passage_id][quote.start : quote.end] for quote in self.claim.quotes]

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {passage.passage_id: passage.text for passage in self.cited}

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the claim's content words."""
        return stems(self.claim.text)

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems of the cited passages and of their headings."""
        # A rule is stated with its changes: "six hours [read as “ten hours”]".
        added = stems("read") if self.claim.changed_by else frozenset[str]()
        return added.union(*(_said(each) for each in self.cited))

    @property
    def share(self) -> float:
        """Share of the claim's stems that occur in the cited passages or in their headings."""
        return self._share(self.known)

    def share_of_words(self, sentence: str) -> float:
        """Return the share of a sentence's stems that occur in them; 1 if it has none."""
        wanted = stems(sentence)
        return len(wanted & self.known) / len(wanted) if wanted else 1.0

    @property
    def idle(self) -> list[Passage]:
        """The cited passages that do not change the claim and in whose words it is not.

        A passage that a cited change has voided is not among them: a repeal need not repeat the words of the
        rule.
        """
        changing = set(self.claim.changed_by)
        at_work = changing | {each.passage_id for each in self.cited if changing & {*each.voided_by}}
        at_work |= self._worded_by
        return [passage for passage in self.cited if passage.passage_id not in at_work]

    @property
    def _worded_by(self) -> set[str]:
        """The passages whose quotes, in order, are the claim, notes of changes in brackets apart."""
        if self.verbatim:
            return {quote.passage_id for quote in self.claim.quotes}
        left, found = _NOTE.sub("", self.claim.text).split(), set()
        for quote, words in zip(self.claim.quotes, map(str.split, self.quoted), strict=True):
            if left[: len(words)] == words:
                left = left[len(words) :]
                found.add(quote.passage_id)
        return set() if left else found

    def share_of(self, passage: Passage) -> float:
        """Return the share of the claim's stems that occur in one passage or its heading."""
        return self._share(_said(passage))

    @cached_property
    def share_together(self) -> float:
        """Share of the claim's stems that occur in what supports it best, or in the headings above it."""
        headings = [each.place for each in self.cited]
        return self._share(stems(" ".join([*self.supporting[:1], *headings])))

    @cached_property
    def supporting(self) -> list[str]:
        """The statements that may support the claim: those it quotes, or those nearest to it; best first.

        The first joins the best statements of all cited passages. Others that are nearly as good follow.
        """
        if self.claim.quotes:
            return [" ".join(around(quote, self._texts[quote.passage_id]) for quote in self.claim.quotes)]
        ranked = [nearest_statements(self.claim.text, passage.text) for passage in self.cited]
        best = " ".join(found[0].words for found in ranked if found)
        return [best, *(each.words for found in ranked for each in found[1:])] if best else []

    @cached_property
    def as_changed(self) -> list[str]:
        """The same statements, each followed by what the cited changes make of it; empty if none does."""
        changing = set(self.claim.changed_by)
        texts = [each.text for each in self.cited if each.passage_id in changing]
        said = [each for text in texts for each in substitutions(text)]
        return [f"{words} {reworded(words, said)}" for words in self.supporting] if said else []

    @cached_property
    def figures(self) -> frozenset[Figure]:
        """The figures of the statements behind each sentence of the claim, of cited changes and of headings.

        Whole passages do not count: a claim must not take its figure from another rule of the same passage.
        """
        changing = set(self.claim.changed_by)
        whole = [each.text for each in self.cited if each.passage_id in changing]
        quoted = self.supporting if self.claim.quotes else []
        near = [
            words
            for passage in ([] if self.verbatim else self.cited)
            for part in dict.fromkeys([self.claim.text, *sentences(self.claim.text)])
            for words in _closest(part, passage.text)
        ]
        places = [each.place for each in self.cited]
        # "From May 2020" is stated as from 1 May 2020.
        days = [f"{day.day} {day:%B %Y}" for text in whole for day in days_of(text)]
        return frozenset[Figure]().union(*map(figures, [*quoted, *near, *whole, *days, *places]))

    def _share(self, known: frozenset[str]) -> float:
        return len(self.stems & known) / len(self.stems) if self.stems else float(self.verbatim)


def around(quote: Quote, text: str) -> str:
    """Return the whole statements that a quote is taken from: a part alone may leave out its "not"."""
    spans = (span for each in statements(text) for span in each.spans)
    touched = [span for span in spans if span.start < quote.end and quote.start < span.end]
    start = min([quote.start, *(span.start for span in touched)])
    return text[start : max([quote.end, *(span.end for span in touched)])]


class Nearest(NamedTuple):
    """A statement of a passage: its parts, lead-in first, and its words."""

    parts: tuple[Span, ...]
    words: str


def nearest_statements(claim: str, text: str) -> list[Nearest]:
    """Return the statements of a passage that share the most content with a claim, the best first.

    Among equally good ones, the shorter comes first, then the earlier. All of them share a stem with the
    claim.
    """
    wanted = stems(claim)
    scored = [(len(wanted & said), len(said), nearest) for nearest, said in _read(text)]
    best = max((score for score, *_ in scored), default=0)
    near = sorted(
        (row for row in scored if row[0] and row[0] >= NEARLY * best), key=lambda row: (-row[0], row[1])
    )
    return [nearest for *_, nearest in near]


def _closest(claim: str, text: str) -> list[str]:
    """Return the words of the nearest statement of a passage, and of others that are as near and as long."""
    near = [each.words for each in nearest_statements(claim, text)]
    wanted = stems(claim)
    measured = [(len(wanted & said), len(said)) for said in map(stems, near)]
    return [words for words, measure in zip(near, measured, strict=True) if measure == measured[0]]


def quotes_for(claim: str, passage: Passage) -> tuple[Quote, ...]:
    """Return the parts of a passage that support a claim best; none if they share no content.

    Among statements that are about equally near, one that the claim does not contradict is preferred.
    """
    near = nearest_statements(claim, passage.text)
    agreeing = (each for each in near if disagreement(claim, each.words) is None)
    found = next(agreeing, near[0] if near else None)
    return tuple(Quote(passage.passage_id, part.start, part.end) for part in found.parts) if found else ()


@lru_cache(maxsize=256)
def _read(text: str) -> list[tuple[Nearest, frozenset[str]]]:
    """Return each statement of a passage, and each enumeration as a whole, with its stems."""
    found = []
    whole: dict[Span, Span] = {}
    for statement in statements(text):
        first, last = statement.spans[0], statement.spans[-1]
        found.append(Nearest(statement.spans, _words(statement.spans, text)))
        if first != last:
            whole[first] = Span(first.start, last.end)
    found.extend(Nearest((span,), _words((span,), text)) for span in whole.values())
    return [(nearest, stems(nearest.words)) for nearest in found]


def _words(spans: Sequence[Span], text: str) -> str:
    return " ".join(text[span.start : span.end] for span in spans)


def _said(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage and of its headings."""
    return stems(f"{passage.place} {passage.text}")
