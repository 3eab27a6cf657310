"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cached_property
from pathlib import Path

import polars as pl

from rulerank.answer import Answer, Answerer
from rulerank.bundle import RANKER, Bundle, load_bundle
from rulerank.passages import RankedPassage
from rulerank.ranker.answering import Answering
from rulerank.ranker.checks import require_at_least, require_model, require_questions
from rulerank.ranker.evidence import Evidence
from rulerank.ranker.order import described, ranking_of
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.runs import runs_of
from rulerank.ranker.shown import shown
from rulerank.text import require_question


class Ranker:
    """Ranks the passages of one corpus for any question.

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
            How many texts the query encoder embeds, and how many batches of questions `runs` describes,
            side by side. Results are the same for any number.

        Raises
        ------
        BundleError
            The folder is no bundle, or not the one that was written.
        InputError
            `threads` is less than 1.

        """
        require_at_least("threads", 1, threads)
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
        return ranking_of(batch, self.evidence, model, as_of or date.today())

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
    def _answering(self) -> Answering:
        return Answering(self.evidence)

    def runs(self, queries: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Rank the candidates of many questions.

        Parameters
        ----------
        queries : polars.DataFrame
            The queries table, or its columns query_id and text; every question has its text.

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
            A column is missing or of another type, an id is repeated, or a question has no text.

        """
        require_questions(queries)
        return runs_of(self.bundle, queries, self._threads)
