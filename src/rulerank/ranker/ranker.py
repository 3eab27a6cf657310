"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property, partial
from pathlib import Path

import numpy as np

from rulerank.answer import Answer, Answerer
from rulerank.bundle import RANKER, load_bundle
from rulerank.passages import RankedPassage
from rulerank.ranker.answering import Answering
from rulerank.ranker.checks import (
    require_at_least,
    require_day,
    require_folder,
    require_shown,
    require_texts,
)
from rulerank.ranker.explanation import Explanation, explained
from rulerank.ranker.given import Given
from rulerank.ranker.reranking import Reranked, reranked
from rulerank.ranker.scorer import Scorer
from rulerank.ranker.shown import shown
from rulerank.text import require_question


class Ranker(Scorer):
    """Ranks the passages of one corpus for any question.

    Threads may share it: no call changes what another returns. `Scorer` gives the order of the passages that
    it shows, explains and answers from.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker; `Ranker.load` reads one from disk.
    threads : int, optional (default=1)
        Batches of many questions that are described in parallel.

    """

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 1) -> Ranker:
        """Load an exported ranker.

        Parameters
        ----------
        path : path or str
            The bundle's folder.
        threads : int, optional (default=1)
            How many texts the query encoder embeds, and how many batches of questions `runs` and `rank_many`
            describe, in parallel. Results are the same for any number.

        Raises
        ------
        BundleError
            The folder is not a bundle, or its content has changed since it was written.
        InputError
            `path` is not a path, or `threads` is less than 1 or more than any machine can use.

        """
        require_folder(path)
        require_at_least("threads", 1, threads)
        return cls(load_bundle(Path(path), threads), threads)

    def rank(
        self, question: str, k: int = 10, *, reasons: int = 3, model: str = RANKER, as_of: date | None = None
    ) -> list[RankedPassage]:
        """Return the passages that govern a question, best first.

        Parameters
        ----------
        question : str
            In plain words.
        k : int, optional (default=10)
            Passages to return, at most.
        reasons : int, optional (default=3)
            Features to name with each passage.
        model : str, optional (default="ranker")
            The model of the bundle that orders the passages. `ranker_without_judgement` takes nothing about
            single passages from judgements. `ranker` leaves the questions that judgements say nothing about
            to `ranker_on_new_rules`; `ranker_with_judgement` never does.
        as_of : date, optional
            The day whose law applies, by default today. A passage that takes effect later is left out;
            `voided_by` names what has voided a passage by that day.

        Raises
        ------
        InputError
            The question is not a string, is blank or is not UTF-8; `k` is less than 1 or `reasons` less than
            0; `as_of` is not a date; or the bundle has no such model.

        """
        require_shown(k, reasons)
        return shown(self.ranking(question, model=model, as_of=as_of), k, reasons)

    def rank_many(
        self,
        questions: Sequence[str],
        k: int = 10,
        *,
        reasons: int = 0,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> list[list[RankedPassage]]:
        """Return what `rank` returns for each of many questions, in a fraction of the time.

        Parameters
        ----------
        questions : sequence of str
            Each in plain words; they may repeat.
        k, reasons, model, as_of
            As in `rank`.

        Raises
        ------
        InputError
            As in `rank`; the message names the question.

        """
        require_texts("questions", questions)
        require_shown(k, reasons)
        return self._each(questions, partial(shown, k=k, reasons=reasons), model=model, as_of=as_of)

    def rerank(
        self,
        question: str,
        passages: Sequence[str],
        k: int | None = None,
        *,
        reasons: int = 0,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> list[Reranked]:
        """Return the named passages of the corpus, ordered by how well they govern a question.

        They are scored among the candidates of the question. If `rank` would find all of them, their scores
        are those that it gives them; each further one is part of the list, with which scores are compared. A
        passage that takes effect later is ranked too, because it was asked for.

        Parameters
        ----------
        question, reasons, model, as_of
            As in `rank`.
        passages : sequence of str
            Ids of passages, or their texts; white space makes no difference. If several passages share a
            text, the best of them counts.
        k : int, optional
            Passages to return, at most; by default all.

        Raises
        ------
        InputError
            As in `rank`; or a passage is not in the corpus. No other text can be scored, because most of a
            passage's score rests on the corpus: its place, its citations, what voids it.

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
            As in `rank`.
        passage_id : str
            The passage. The generators need not find it.
        against : str, optional
            Another passage: why does the first rank above it, or below? If the generators do not find it, it
            joins the list, with which all scores are compared.

        Raises
        ------
        InputError
            As in `rank`; or the corpus lacks a passage, or one is a heading without text.

        """
        self._require(question, model)
        rows = self._given.pair(passage_id, against)
        return explained(self._ranking_with(question, rows, model=model, as_of=as_of), rows)

    def require_passage(self, passage_id: str) -> None:
        """Raise InputError unless a passage is in the corpus and has a text."""
        self._given.row("passage_id", passage_id)

    def answer(
        self,
        question: str,
        k: int = 10,
        *,
        model: str = RANKER,
        as_of: date | None = None,
        answerer: Answerer | None = None,
        without: Sequence[str] = (),
    ) -> Answer:
        """Answer a question from the rules in force on a day; each claim cites the passages that state it.

        Parameters
        ----------
        question, model, as_of
            As in `rank`.
        k : int, optional (default=10)
            Passages to rank, at most; the answer rests on those of them that are likely evidence.
        answerer : callable, optional
            By default the answer is put together from the passages' own sentences.
        without : sequence of str, optional
            Ids of passages that are not found, to see the answer without them. What changes a rule of the
            answer is stated with it nevertheless, and so is the lead-in of an item.

        Raises
        ------
        InputError
            As in `rank`.

        """
        require_at_least("k", 1, k)
        self._given.require_ids("without", without)
        ranking = self.ranking(question, model=model, as_of=as_of, without=without)
        return self._answering.by_ranking(question, ranking, k, answerer)

    def answer_from(
        self, question: str, passage_ids: Sequence[str], as_of: date, answerer: Answerer | None = None
    ) -> Answer:
        """Answer a question from given passages, best first, with the rules around them on a day.

        Raises
        ------
        InputError
            The question is blank, or the corpus lacks a passage.

        """
        require_question(question)
        self._given.require_ids("passage_ids", passage_ids)
        return self._answering.by_passages(question, passage_ids, require_day(as_of), answerer)

    @cached_property
    def _given(self) -> Given:
        return Given(self.evidence)

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.evidence)
