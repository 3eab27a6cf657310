"""What a claim rests on: the passages it cites, and the statements in them that support it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rulerank.answer.changes import substitutions
from rulerank.answer.claims import Claim, Quote
from rulerank.answer.readings import reworded
from rulerank.answer.verification.figures import Figure, figures
from rulerank.answer.verification.force import stems
from rulerank.answer.verification.intervals import intervals, lengths
from rulerank.answer.verification.nearest import closest_words, nearest_statements, outdone
from rulerank.authority.period import days_of
from rulerank.obligations import statements
from rulerank.passages import Passage
from rulerank.text import sentences

_NOTE = re.compile(r" ?\[[^\[\]]*\]")
"""What an answer notes in brackets: how words are read now, and passages that hold beside a rule."""


@dataclass(frozen=True)
class ClaimEvidence:
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
    def paraphrased(self) -> list[Passage]:
        """The cited passages that neither change the claim nor are those whose quotes make it up.

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
        near = {each.passage_id: self._near(each) for each in self.cited}
        beaten = self._outdone(self.claim.text, near)
        ranked = [[words for words in found if words not in beaten] for found in near.values()]
        best = " ".join(found[0] for found in ranked if found)
        return [best, *(words for found in ranked for words in found[1:])] if best else []

    def _near(self, passage: Passage) -> list[str]:
        if self.claim.quotes:
            own = [quote for quote in self.claim.quotes if quote.passage_id == passage.passage_id]
            return [" ".join(around(quote, passage.text) for quote in own)] if own else []
        return [each.words for each in nearest_statements(self.claim.text, passage.text)]

    def _outdone(self, part: str, said: Mapping[str, Sequence[str]]) -> set[str]:
        """Return the statements, by passage, that do not count: the claim would mix two rules.

        What is quoted word for word counts, and so does what changes the claim.
        """
        settled = self._worded_by | set(self.claim.changed_by)
        beaten = outdone(part, [words for found in said.values() for words in found])
        return beaten.difference(*(found for each, found in said.items() if each in settled))

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
        near: set[str] = set()
        parts = dict.fromkeys([self.claim.text, *sentences(self.claim.text)])
        for part in () if self.verbatim else parts:
            closest = {each.passage_id: closest_words(part, each.text) for each in self.cited}
            near |= {words for found in closest.values() for words in found} - self._outdone(part, closest)
        places = [each.place for each in self.cited]
        # "From May 2020" is stated as from 1 May 2020.
        days = [f"{day.day} {day:%B %Y}" for text in whole for day in days_of(text)]
        said = [*quoted, *near, *whole, *days, *places]
        # "Annually" is every 12 months.
        stated = intervals(self.claim.text)
        both = (each for words in said for each in intervals(words) if each in stated)
        every = (each for interval in both for each in lengths(interval))
        return frozenset(Figure(str(count), unit) for count, unit in every).union(*map(figures, said))

    def _share(self, known: frozenset[str]) -> float:
        return len(self.stems & known) / len(self.stems) if self.stems else float(self.verbatim)


def around(quote: Quote, text: str) -> str:
    """Return the whole statements that a quote is taken from: a part alone may leave out its "not"."""
    spans = (span for each in statements(text) for span in each.spans)
    touched = [span for span in spans if span.start < quote.end and quote.start < span.end]
    start = min([quote.start, *(span.start for span in touched)])
    return text[start : max([quote.end, *(span.end for span in touched)])]


def _said(passage: Passage) -> frozenset[str]:
    """Return the stems of a passage and of its headings."""
    return stems(f"{passage.place} {passage.text}")
