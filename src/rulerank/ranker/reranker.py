"""What is asked about passages that a caller names: their order for a question, and why they have it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cached_property

import numpy as np

from rulerank.arrays import IntArray
from rulerank.bundle import RANKER
from rulerank.ranker.checks import require_at_least, require_day
from rulerank.ranker.explanation import Explanation, explained
from rulerank.ranker.given import Given
from rulerank.ranker.order import described_with, rankings
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reranking import Reranked, reranked
from rulerank.ranker.scorer import Scorer


class Reranker(Scorer):
    """Ranks and explains named passages, scored among the candidates of a question.

    Parameters
    ----------
    bundle, threads
        As for `Scorer`.

    """

    def rerank(
        self,
        question: str,
        passages: Iterable[str],
        k: int | None = None,
        *,
        reasons: int = 0,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> list[Reranked]:
        """Return the named passages of the corpus, ordered by how well they govern a question.

        They are scored among the candidates of the question. If `Ranker.rank` would find all of them, their
        scores are those that it gives them; each further one is part of the list, with which scores are
        compared. A passage that takes effect later is ranked too, because it was asked for.

        Parameters
        ----------
        question, reasons, model, as_of
            As in `Ranker.rank`.
        passages : iterable of str
            Ids of passages, or their texts; white space makes no difference. If several passages share a
            text, the best of them counts. A list, a generator, or a column of a polars or pandas frame.
        k : int, optional
            Passages to return, at most; by default all.

        Raises
        ------
        InputError
            As in `Ranker.rank`; or a passage is not in the corpus. No other text can be scored, because most
            of a passage's score rests on the corpus: its place, its citations, what voids it.

        """
        self._require(question, model)
        require_at_least("reasons", 0, reasons)
        if k is not None:
            require_at_least("k", 1, k)
        given = self._given.rows("passages", passages)
        if not given:
            return []
        ranking = self._ranking_with(question, np.concatenate(given), model=model, as_of=as_of)
        return reranked(ranking, given, k, reasons)

    def explain(
        self,
        question: str,
        passage_id: str,
        against: str | None = None,
        *,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> Explanation:
        """Return each feature's share in the score of a passage, alone or compared with another passage.

        Parameters
        ----------
        question, model, as_of
            As in `Ranker.rank`.
        passage_id : str
            The passage. The generators need not find it.
        against : str, optional
            Another passage: why does the first rank above it, or below? If the generators do not find it, it
            joins the list, with which all scores are compared.

        Raises
        ------
        InputError
            As in `Ranker.rank`; or the corpus lacks a passage, or one is a heading without text.

        """
        self._require(question, model)
        rows = self._given.pair(passage_id, against)
        return explained(self._ranking_with(question, rows, model=model, as_of=as_of), rows)

    def require_passage(self, passage_id: str) -> None:
        """Raise InputError unless a passage is in the corpus and has a text."""
        self._given.row("passage_id", passage_id)

    @cached_property
    def _given(self) -> Given:
        return Given(self.evidence)

    def _ranking_with(self, question: str, rows: IntArray, *, model: str, as_of: date | None) -> Ranking:
        """Return a ranking that holds given passages along with the candidates of the question."""
        day = require_day(as_of)
        batch = described_with(self.bundle, question, rows, self.evidence.not_yet_in_effect(day))
        (ranking,) = rankings(batch, self.evidence, model, day)
        return ranking
