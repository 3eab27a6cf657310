"""An exported ranker at run time: a question in, ranked passages or an answer out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.answer import Answer, extractive_answer, keep
from rulerank.arrays import FloatArray, IntArray
from rulerank.authority.shown import with_superseders
from rulerank.bundle import FIRST_PASS, RANKER, Bundle, load_bundle
from rulerank.features.curve import probabilities
from rulerank.features.extract import Batch, extract, named_pairs
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import unseen
from rulerank.passages import Passage, RankedPassage, Reason
from rulerank.ranker.checks import require_at_least, require_model, require_questions
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
        self, question: str, k: int = 10, *, reasons: int = 3, model: str = RANKER
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

        Raises
        ------
        InputError
            The question is not a string, blank or not UTF-8; `k` is less than 1 or `reasons` less than 0; or
            the bundle has no such model.

        """
        require_question(question)
        require_at_least("k", 1, k)
        require_at_least("reasons", 0, reasons)
        require_model(model, self.bundle.names)
        (batch,) = self._batches([""], [question])
        if not len(batch.matrix):
            return []
        scores = self.bundle.scores(model, batch.matrix)
        answering = self.bundle.answering(model, batch.matrix)
        best = _order(batch.pairs, scores)[:k]
        probability = probabilities(scores[best], self.bundle.models[answering].curve)
        named = self._reasons(answering, batch.matrix[best], reasons)
        passages = self.bundle.passages_of(batch.pairs.columns[best].tolist())
        return [
            RankedPassage(
                rank=place + 1,
                score=float(scores[row]),
                probability=float(probability[place]),
                reasons=named[place],
                **vars(passage),
            )
            for place, (row, passage) in enumerate(zip(best, passages, strict=True))
        ]

    def answer(self, question: str, k: int = 10, *, model: str = RANKER) -> Answer:
        """Answer a question in the rules' own words, each obligation bound to the passages that state it.

        The ranking is cut where its scores fall off, by the section `answer` of the params that the ranker
        was exported with. What is in force of a kept passage's superseders is put before it.

        Parameters
        ----------
        question : str
            In plain words.
        k : int, optional (default=10)
            Passages to rank, at most.
        model : str, optional (default="ranker")
            The model of the bundle that orders the passages.

        Raises
        ------
        InputError
            As in `rank`.

        """
        ranked = self.rank(question, k, reasons=0, model=model)
        tail = self.bundle.tail_filter
        kept = ranked[: keep([passage.score for passage in ranked], tail.tau_min, tail.tau_delta)]
        sources = with_superseders([passage.passage_id for passage in kept], self.bundle.edges)
        return extractive_answer(self._passages(sources))

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

    def _reasons(self, model: str, matrix: FloatArray, limit: int) -> list[tuple[Reason, ...]]:
        """Return the reasons of each row of `matrix`, at most `limit` of each."""
        if not limit:
            return [()] * len(matrix)
        names = self.bundle.features.names
        explained = shares(self.bundle, model, matrix)
        return [greatest(names, *row, limit) for row in zip(matrix, explained, strict=True)]

    def _passages(self, passage_ids: Sequence[str]) -> list[Passage]:
        """Return passages by id; edges may name some that the corpus lacks, which are left out."""
        rows = self.bundle.passages.select("passage_id", row=pl.int_range(pl.len()))
        wanted = pl.DataFrame({"passage_id": passage_ids}).join(rows, "passage_id", maintain_order="left")
        return self.bundle.passages_of(wanted["row"].to_list())

    def _batches(self, ids: Sequence[str], texts: Sequence[str], workers: int = 1) -> Iterator[Batch]:
        bundle, queries = self.bundle, self.bundle.queries(ids, texts)
        known = bundle.index, queries, unseen(queries)
        return extract(*known, bundle.features, bundle.candidates, workers, bundle.first_pass)

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
