"""From a ranking, or from given passages, to a verified answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property

from rulerank.answer import Answer, Answerer, Extractive, Relevance
from rulerank.answer.verify import verified
from rulerank.obligations import statements
from rulerank.ranker.evidence import EvidenceSource
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.shown import shown

NEAREST = 3
"""The passages, and the statements in them, in which the reason of an abstention is sought."""


class Answering:
    """Answers questions from the passages of one bundle.

    Parameters
    ----------
    evidence : EvidenceSource
        The passages, with their state on any day.

    """

    def __init__(self, evidence: EvidenceSource) -> None:
        self._evidence = evidence

    def by_ranking(self, question: str, ranking: Ranking, k: int, answerer: Answerer | None) -> Answer:
        """Answer from the evidence among the first `k` passages, or say why an answer is unlikely."""
        if kept := self._evidence.with_items(ranking.kept(k)):
            return self.by_passages(question, kept, ranking.as_of, answerer)
        first = tuple(shown(ranking, k, 0))
        said = [each.text for passage in first[:NEAREST] for each in statements(passage.text)]
        reason = self._evidence.unanswered(self._relevance.nearest(question, said, NEAREST))
        return Answer(question, ranking.as_of, (), first, reason)

    def by_passages(
        self, question: str, passage_ids: Sequence[str], as_of: date, answerer: Answerer | None = None
    ) -> Answer:
        """Answer from given passages, best first, with the rules around them on a day."""
        sources, law = self._evidence.law(passage_ids, as_of)
        answers = answerer or Extractive(law, self._relevance)
        return verified(answers(question, sources, as_of))

    @cached_property
    def _relevance(self) -> Relevance:
        bundle = self._evidence.bundle
        bm25 = bundle.index.bm25
        idf = {term: float(bm25.idf[place]) for term, place in bm25.vocabulary.items()}
        return Relevance(idf, bundle.analyser)
