"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.answer import Answer, Answerer
from rulerank.arrays import IntArray
from rulerank.bundle import RANKER, Bundle, load_bundle
from rulerank.errors import InputError
from rulerank.passages import RankedPassage
from rulerank.ranker.answering import Answering
from rulerank.ranker.checks import (
    require_at_least,
    require_model,
    require_questions,
    require_texts,
    require_threads,
)
from rulerank.ranker.evidence import Evidence
from rulerank.ranker.explanation import Explanation, explained
from rulerank.ranker.frames import feature_matrix, questions_frame
from rulerank.ranker.given import Given
from rulerank.ranker.order import described, described_with, rankings
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reranking import Reranked, reranked
from rulerank.ranker.runs import runs_of
from rulerank.ranker.shown import shown
from rulerank.text import require_question


class Ranker:
    """Ranks the passages of one corpus for any question.

    Threads may share it: nothing that a method is asked changes what another returns.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker; `Ranker.load` reads one from disk.
    threads : int, optional (default=1)
        Batches of many questions that are described side by side.

    """

    def __init__(self, bundle: Bundle, threads: int = 1) -> None:
        self.bundle = bundle
        self._threads = threads

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 1) -> Ranker:
        """Load an exported ranker.

        Parameters
        ----------
        path : path or str
            The bundle's folder.
        threads : int, optional (default=1)
            How many texts the query encoder embeds, and how many batches of questions `runs` and `rank_many`
            describe, side by side. Results are the same for any number.

        Raises
        ------
        BundleError
            The folder is no bundle, or not the one that was written.
        InputError
            `path` is no path, or `threads` is less than 1 or more than any machine has use for.

        """
        if not isinstance(path, str | os.PathLike):
            raise InputError(
                "path", f"expected the folder of an exported ranker, found {path!r}. Name the folder."
            )
        require_threads(threads)
        return cls(load_bundle(Path(path), threads), threads)

    def rank(
        self,
        question: str,
        k: int = 10,
        *,
        reasons: int = 3,
        model: str = RANKER,
        as_of: date | None = None,
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
            The model of the bundle that orders the passages. `ranker_without_judgement` knows nothing of
            single passages from judgements; `ranker` leaves to it the questions that judgements say nothing
            about; `ranker_with_judgement` leaves none.
        as_of : date, optional
            The day whose law is asked for, by default today. A passage that takes effect later is left out;
            `voided_by` names what has voided a passage by that day.

        Raises
        ------
        InputError
            The question is not a string, blank or not UTF-8; `k` is less than 1 or `reasons` less than 0; or
            the bundle has no such model.

        """
        require_at_least("k", 1, k)
        require_at_least("reasons", 0, reasons)
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
        require_at_least("k", 1, k)
        require_at_least("reasons", 0, reasons)
        require_model(model, self.bundle.names)
        ids, day = [str(place) for place in range(len(questions))], as_of or date.today()
        return [
            shown(ranking, k, reasons)
            for batch in described(self.bundle, ids, list(questions), workers=self._threads)
            for ranking in rankings(batch, self.evidence, model, day)
        ]

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
        """Return given passages of the corpus in the order in which they govern a question.

        They are described among the candidates of the question, so that a passage that `rank` would find has
        the score that it has there. A passage that takes effect later is ranked too, since it was asked for.

        Parameters
        ----------
        question : str
            In plain words.
        passages : sequence of str
            Ids of passages, or their texts; white space makes no difference. A text that several passages
            share counts as the best of them.
        k : int, optional
            Passages to return, at most; by default all.
        reasons, model, as_of
            As in `rank`.

        Raises
        ------
        InputError
            As in `rank`; or a passage is not in the corpus. Most of what a passage is scored by is known of
            the corpus alone: its place, its citations, what voids it. So no other text can be scored.

        """
        require_question(question)
        require_model(model, self.bundle.names)
        require_at_least("reasons", 0, reasons)
        if k is not None:
            require_at_least("k", 1, k)
        given = self._given.rows("passages", passages)
        if not given:
            return []
        ranking = self._ranking_with(question, np.concatenate(given), model, as_of)
        return reranked(ranking, given, len(given) if k is None else k, reasons)

    def explain(
        self,
        question: str,
        passage_id: str,
        against: str | None = None,
        *,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> Explanation:
        """Say what every feature adds to the score of a passage, alone or against another passage.

        Parameters
        ----------
        question : str
            In plain words.
        passage_id : str
            The passage. It may be one that no generator finds.
        against : str, optional
            Another: why does it stand above, or below?
        model, as_of
            As in `rank`.

        Raises
        ------
        InputError
            As in `rank`; or the corpus lacks a passage, or it is a heading without text.

        """
        require_question(question)
        require_model(model, self.bundle.names)
        named = {"passage_id": passage_id} | ({} if against is None else {"against": against})
        rows = np.array([self._given.row(name, each) for name, each in named.items()], np.int64)
        return explained(self._ranking_with(question, rows, model, as_of), rows)

    def require_passage(self, passage_id: str) -> None:
        """Raise InputError unless a passage is of the corpus and has a text."""
        self._given.row("passage_id", passage_id)

    @property
    def features(self) -> list[str]:
        """The names of the columns that `score` takes, in order."""
        return self.bundle.features.names

    def score(self, features: Any, *, model: str = RANKER) -> NDArray[np.float64]:
        """Return what the trees say of rows of features, shape (rows,).

        The score of a ranked passage is this, and what completing judged sets adds (`companions` among its
        reasons), which depends on the whole list.

        Parameters
        ----------
        features : array of shape (rows, features), or frame of polars or pandas
            Columns as `features` names them; NaN is a missing value. A frame may have others beside them.
        model : str, optional (default="ranker")
            As in `rank`.

        Raises
        ------
        InputError
            A column is missing, a value is no number, or the bundle has no such model.

        """
        require_model(model, self.bundle.names)
        return self.bundle.tree_scores(model, feature_matrix(features, self.features))

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
        """Answer a question from the rules in force on a day, each claim bound to the passages that state it.

        Parameters
        ----------
        question : str
            In plain words.
        k : int, optional (default=10)
            Passages to rank, at most; the tail filter keeps the first of them.
        model : str, optional (default="ranker")
            The model of the bundle that orders the passages.
        as_of : date, optional
            The day whose law is asked for, by default today.
        answerer : callable, optional
            By default the answer is put together from the passages' own sentences.
        without : sequence of str, optional
            Ids of passages that are not to be found, to see what is answered without them.

        Raises
        ------
        InputError
            As in `rank`.

        """
        require_at_least("k", 1, k)
        ranking = self.ranking(question, model=model, as_of=as_of, without=without)
        return self._answering.by_ranking(question, ranking, k, answerer)

    def ranking(
        self, question: str, *, model: str = RANKER, as_of: date | None = None, without: Sequence[str] = ()
    ) -> Ranking:
        """Return all candidates of a question that have taken effect, in order, with what is known of them.

        Parameters
        ----------
        question, model, as_of, without
            As in `answer`.

        Raises
        ------
        InputError
            As in `rank`.

        """
        require_question(question)
        require_model(model, self.bundle.names)
        left_out = [self.evidence.rows(without)] if without else None
        (batch,) = described(self.bundle, [""], [question], without=left_out)
        (ranking,) = rankings(batch, self.evidence, model, as_of or date.today())
        return ranking

    def _ranking_with(self, question: str, rows: IntArray, model: str, as_of: date | None) -> Ranking:
        """Return a ranking that holds given passages beside the candidates of the question."""
        batch = described_with(self.bundle, question, rows)
        (ranking,) = rankings(batch, self.evidence, model, as_of or date.today(), given=rows)
        return ranking

    def answer_from(
        self, question: str, passage_ids: Sequence[str], as_of: date, answerer: Answerer | None = None
    ) -> Answer:
        """Answer a question from given passages, best first, with the rules around them on a day."""
        return self._answering.by_passages(question, passage_ids, as_of, answerer)

    @cached_property
    def evidence(self) -> Evidence:
        """The passages as they stand on any day."""
        return Evidence(self.bundle)

    @cached_property
    def _given(self) -> Given:
        return Given(self.evidence)

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.evidence)

    def runs(self, queries: Any, dense_weights: Sequence[float] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Rank the candidates of many questions.

        Parameters
        ----------
        queries : frame of polars or pandas
            The queries table, or its columns query_id and text; every question has its text.
        dense_weights : sequence of float, optional
            Shares of the dense score, from 0 to 1, in further runs `hybrid_<share>`.

        Returns
        -------
        runs : polars.DataFrame
            The runs table: every generator, their fusions, `semantic` (the candidates by the mean of the
            dense and the late-interaction score, where there is one), the first pass and every model of the
            bundle.
        candidates : polars.DataFrame
            query_id and passage_id of each candidate.

        Raises
        ------
        InputError
            They are no frame, a column is missing or of another type, an id is repeated, or a question has no
            text.

        """
        table = questions_frame(queries)
        require_questions(table)
        return runs_of(self.bundle, table, self._threads, dense_weights)
