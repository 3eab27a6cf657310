"""All candidates of questions in the order of a model, before any passage is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NoReturn, TypeVar

import numpy as np
import polars as pl

from rulerank.arrays import DoubleArray
from rulerank.bundle import RANKER, Bundle
from rulerank.errors import InputError
from rulerank.ranker.checks import require_day, require_model, require_questions, require_weights
from rulerank.ranker.evidence import EvidenceSource
from rulerank.ranker.frames import feature_matrix, questions_frame
from rulerank.ranker.order import ranked, rankings
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.runs import runs_of
from rulerank.text import require_question

Result = TypeVar("Result")


class Scorer:
    """Orders all candidates of a question by any model of one bundle.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    threads : int, optional (default=1)
        Batches of many questions that are described in parallel.

    """

    def __init__(self, bundle: Bundle, threads: int = 1) -> None:
        self.bundle = bundle
        self._threads = threads

    def ranking(
        self, question: str, *, model: str = RANKER, as_of: date | None = None, without: Sequence[str] = ()
    ) -> Ranking:
        """Return all candidates of a question that have taken effect, in order, with their features.

        Parameters
        ----------
        question, model, as_of, without
            As in `Ranker.answer`.

        Raises
        ------
        InputError
            As in `Ranker.rank`.

        """
        (ranking,) = self.rankings_without(question, [without], model=model, as_of=as_of)
        return ranking

    def rankings_without(
        self,
        question: str,
        left_out: Sequence[Sequence[str]],
        *,
        model: str = RANKER,
        as_of: date | None = None,
    ) -> Iterator[Ranking]:
        """Yield one ranking of a question for each list of passages that must not be found.

        Parameters
        ----------
        question, model, as_of
            As in `ranking`.
        left_out : sequence of sequences of str
            Ids of passages.

        Raises
        ------
        InputError
            As in `ranking`.

        """
        self._require(question, model)
        day = require_day(as_of)
        coming = self.evidence.not_yet_in_effect(day)
        rows = [np.union1d(self.evidence.rows(ids), coming) for ids in left_out]
        ids, asked = [str(place) for place in range(len(rows))], [question] * len(rows)
        gone = rows if any(map(len, rows)) else None
        for batch in self.bundle.described(self.bundle.queries(ids, asked), without=gone):
            yield from rankings(batch, self.evidence, model, day)

    def _each(
        self,
        questions: Sequence[str],
        result: Callable[[Ranking], Result],
        *,
        model: str,
        as_of: date | None,
    ) -> list[Result]:
        """Return a result from the ranking of each of many questions, whose texts the caller has checked."""
        require_model(model, self.bundle.names)
        ids, day = [str(place) for place in range(len(questions))], require_day(as_of)
        results = ranked(self.bundle, ids, questions, self.evidence, model, day, result, self._threads)
        return [each for part in results for each in part]

    def _require(self, question: str, model: str) -> None:
        require_question(question)
        require_model(model, self.bundle.names)

    def runs(self, queries: Any, dense_weights: Sequence[float] = ()) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Rank the candidates of many questions.

        Parameters
        ----------
        queries : frame of polars or pandas
            The queries table, or its columns query_id and text; every question has a text.
        dense_weights : sequence of float, optional
            Shares of the dense score, from 0 to 1, in further runs `hybrid_<share>`.

        Returns
        -------
        runs : polars.DataFrame
            The runs table: every generator, their fusions, `semantic` (the candidates by the mean of the
            dense and the late-interaction score, if there is one), the first pass and every model of the
            bundle.
        candidates : polars.DataFrame
            query_id and passage_id of each candidate.

        Raises
        ------
        InputError
            `queries` is not a frame, a column is missing or has another type, an id is repeated, or a
            question has no text; or a share is not a number from 0 to 1.

        """
        require_weights("dense_weights", dense_weights)
        table = questions_frame(queries)
        require_questions(table)
        return runs_of(self.bundle, table, self._threads, dense_weights)

    @property
    def features(self) -> list[str]:
        """The names of the columns that `score` takes, in order."""
        return self.bundle.features.names

    def score(self, features: Any, *, model: str = RANKER) -> DoubleArray:
        """Return the scores that the trees give to rows of features, shape (rows,).

        The score of a ranked passage also has what depends on the whole list: the company of the passage
        (`companions` among its reasons) and, if `ranker_on_new_rules` answers, the standing of its features.
        So the trees alone may order the passages otherwise.

        Parameters
        ----------
        features : array of shape (rows, features), or frame of polars or pandas
            Columns as named by `features`; NaN is a missing value. A frame may have other columns as well.
        model : str, optional (default="ranker")
            As in `Ranker.rank`.

        Raises
        ------
        InputError
            A column is missing, a value is not a number, or the bundle has no such model.

        """
        require_model(model, self.bundle.names)
        return self.bundle.tree_scores(model, feature_matrix(features, self.features))

    def __reduce__(self) -> NoReturn:
        """Refuse to be pickled: another process maps the same files into its memory instead."""
        raise InputError(
            "ranker",
            "expected to stay in its process, found itself being pickled. Load the folder in each process.",
        )

    @cached_property
    def evidence(self) -> EvidenceSource:
        """The passages, with their state on any day."""
        return EvidenceSource(self.bundle)
