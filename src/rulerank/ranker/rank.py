"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.answer import Answer, Answerer, Extractive, Relevance
from rulerank.answer.verify import verified
from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import FIRST_PASS, RANKER, Bundle, load_bundle
from rulerank.features.extract import Batch, extract, named_pairs
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import unseen
from rulerank.passages import RankedPassage, Reason
from rulerank.ranker.checks import require_at_least, require_model, require_questions
from rulerank.ranker.evidence import Evidence
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reasons import greatest, shares
from rulerank.retrieve.hits import Hits
from rulerank.retrieve.search import HYBRID, RRF, hybrid, tabulate
from rulerank.tables import RUNS
from rulerank.text import require_question

OF_FEATURES = {"semantic": "semantic_score", FIRST_PASS: "first_score"}
"""Runs in the order of a feature: the dense side, late interaction included, and the first pass."""


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
        return self._shown(self.ranking(question, model=model, as_of=as_of), k, reasons)

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
        if kept := ranking.kept(k):
            return self.answer_from(question, kept, ranking.as_of, answerer)
        shown = tuple(self._shown(ranking, k, 0))
        return Answer(question, ranking.as_of, (), shown, self.evidence.unanswered(shown))

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
        day = as_of or date.today()
        left_out = self.evidence.rows(without) if without else None
        (batch,) = self._batches([""], [question], without=left_out)
        columns = batch.pairs.columns
        scores = self.bundle.scores(model, batch.matrix)
        order = _order(batch.pairs, scores)
        order = order[self.evidence.begun(columns[order], day)]
        # A question without candidates has no features to say who answers.
        answering = self.bundle.answering(model, batch.matrix) if len(order) else RANKER
        rows, matrix = columns[order], batch.matrix[order]
        return Ranking(self.bundle, self.evidence, day, answering, rows, scores[order], matrix)

    def answer_from(
        self, question: str, passage_ids: Sequence[str], as_of: date, answerer: Answerer | None = None
    ) -> Answer:
        """Answer a question from given passages, best first, with the rules around them on a day."""
        sources, law = self.evidence.law(passage_ids, as_of)
        answers = answerer or Extractive(law, self._relevance)
        return verified(answers(question, sources, as_of))

    @cached_property
    def evidence(self) -> Evidence:
        """The passages as they stand on any day."""
        return Evidence(self.bundle)

    @cached_property
    def _relevance(self) -> Relevance:
        bm25 = self.bundle.index.bm25
        idf = {term: float(bm25.idf[place]) for term, place in bm25.vocabulary.items()}
        return Relevance(idf, self.bundle.analyser)

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
        ids, settings = self.bundle.passages["passage_id"], self.bundle.candidates
        runs, candidates = [RUNS.empty()], [RUNS.empty().select("query_id", "passage_id")]
        asked = queries["query_id"].to_list(), queries["text"].to_list()
        for batch in self._batches(*asked, workers=self._threads):
            pairs = batch.pairs
            fused = {
                RRF: pairs.retrieved.fused(settings.depth),
                HYBRID: hybrid(pairs.retrieved, pairs.run_scores, settings, len(pairs.queries)),
            }
            learned = {name: self._run(pairs, scores) for name, scores in self._scores(batch)}
            found = {**pairs.retrieved.found, **fused, **learned}
            runs.append(tabulate(found, pairs.queries.ids, ids))
            candidates.append(named_pairs(pairs))
        return pl.concat(runs), pl.concat(candidates)

    def _shown(self, ranking: Ranking, k: int, reasons: int) -> list[RankedPassage]:
        """Return the first `k` passages of a ranking as a result shows them."""
        if not len(ranking.rows):
            return []
        named = self._reasons(ranking.answering, ranking.matrix[:k], reasons)
        return [
            RankedPassage(
                rank=place + 1,
                score=float(ranking.scores[place]),
                probability=float(ranking.probability[place]),
                reasons=named[place],
                **vars(passage),
            )
            for place, passage in enumerate(self.evidence.passages(ranking.rows[:k], ranking.as_of))
        ]

    def _reasons(self, model: str, matrix: FloatArray, limit: int) -> list[tuple[Reason, ...]]:
        """Return the reasons of each row of `matrix`, at most `limit` of each."""
        if not limit:
            return [()] * len(matrix)
        names = self.bundle.features.names
        explained = shares(self.bundle, model, matrix)
        return [greatest(names, *row, limit) for row in zip(matrix, explained, strict=True)]

    def _batches(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        *,
        workers: int = 1,
        without: IntArray | None = None,
    ) -> Iterator[Batch]:
        bundle, queries = self.bundle, self.bundle.queries(ids, texts)
        return extract(
            bundle.index,
            queries,
            unseen(queries),
            bundle.features,
            bundle.candidates,
            workers,
            first_pass=bundle.first_pass,
            without=without,
        )

    def _scores(self, batch: Batch) -> Iterator[tuple[str, NDArray[np.floating]]]:
        """Yield what orders the candidates after the generators: single features, then every model."""
        names = self.bundle.features.names
        for run, feature in OF_FEATURES.items():
            if feature in names:
                yield run, batch.matrix[:, names.index(feature)]
        yield from self.bundle.all_scores(batch.matrix).items()

    def _run(self, pairs: Pairs, scores: NDArray[np.floating]) -> Hits:
        """Return the candidates in the order of some scores, the first `depth` of each question."""
        order = _order(pairs, scores)
        hits = Hits(pairs.rows[order], pairs.columns[order], scores[order])
        return hits.first(self.bundle.candidates.depth)


def _order(pairs: Pairs, scores: NDArray[np.floating]) -> IntArray:
    """Order pairs by question, then score from the highest, then passage."""
    return np.lexsort((pairs.columns, -scores, pairs.rows))
