"""An exported ranker at run time: a question in, ranked passages out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle import FIRST_PASS, RANKER, Bundle, load_bundle
from rulerank.features.curve import probabilities
from rulerank.features.extract import Batch, extract, unseen
from rulerank.ranker.asked import require_at_least, require_questions
from rulerank.ranker.reasons import greatest, shares
from rulerank.ranker.results import RankedPassage
from rulerank.retrieve.search import tabulate
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

    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._titles: dict[str, str] = dict(bundle.documents.select("document_id", "title").iter_rows())

    @classmethod
    def load(cls, path: Path | str, *, threads: int = 1) -> Ranker:
        """Load an exported ranker.

        Parameters
        ----------
        path : path or str
            The bundle's folder.
        threads : int, optional (default=1)
            Threads of the query encoder.

        Raises
        ------
        BundleError
            The folder is no bundle, or not the one that was written.
        InputError
            `threads` is less than 1.

        """
        require_at_least("threads", 1, threads)
        return cls(load_bundle(Path(path), threads))

    def rank(self, question: str, k: int = 10, *, reasons: int = 3) -> list[RankedPassage]:
        """Return the passages that govern a question, best first.

        Parameters
        ----------
        question : str
            In plain words.
        k : int, optional (default=10)
            Passages to return, at most.
        reasons : int, optional (default=3)
            Features to name with each passage.

        Raises
        ------
        InputError
            The question is no text, blank or not UTF-8, or `k` is less than 1, or `reasons` less than 0.

        """
        require_question(question)
        require_at_least("k", 1, k)
        require_at_least("reasons", 0, reasons)
        (batch,) = self._batches([""], [question])
        if not len(batch.matrix):
            return []
        scores = self.bundle.scores(RANKER, batch.matrix)
        best = _order(batch.retrieved.rows, batch.retrieved.columns, scores)[:k]
        probability = probabilities(scores[best], self.bundle.calibration)
        explained = shares(self.bundle, batch.matrix[best])
        columns = batch.retrieved.columns[best]
        passages = self.bundle.passages[columns]
        return [
            RankedPassage(
                rank=place + 1,
                passage_id=passage["passage_id"],
                document_id=passage["document_id"],
                document=self._titles.get(passage["document_id"], passage["document_id"]),
                section=passage["section"],
                text=passage["text"],
                score=float(scores[row]),
                probability=float(probability[place]),
                reasons=greatest(self.bundle.features.names, batch.matrix[row], explained[place], reasons),
                voided_by=self.bundle.index.voided_by(int(columns[place])),
            )
            for place, (row, passage) in enumerate(zip(best, passages.iter_rows(named=True), strict=True))
        ]

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
            A column is missing or of another type, an id stands twice, or a question has no text.

        """
        require_questions(queries)
        ids = self.bundle.passages["passage_id"]
        runs, candidates = [RUNS.empty()], [RUNS.empty().select("query_id", "passage_id")]
        for batch in self._batches(queries["query_id"].to_list(), queries["text"].to_list()):
            runs.append(tabulate(batch.retrieved, batch.queries.ids, ids))
            runs.extend(self._run(name, batch, scores) for name, scores in self._scores(batch))
            candidates.append(self._pairs(batch))
        return pl.concat(runs), pl.concat(candidates)

    def _batches(self, ids: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        bundle, queries = self.bundle, self.bundle.queries(ids, texts)
        first = bundle.first_pass
        return extract(
            bundle.index, queries, unseen(queries), bundle.features, bundle.candidates, first_pass=first
        )

    def _scores(self, batch: Batch) -> Iterator[tuple[str, FloatArray]]:
        """Yield what orders the candidates after the generators: single features, then every model."""
        names = self.bundle.features.names
        for run, feature in OF_FEATURES.items():
            if feature in names:
                yield run, batch.matrix[:, names.index(feature)]
        for name in self.bundle.models:
            yield name, self.bundle.scores(name, batch.matrix)

    def _run(self, name: str, batch: Batch, scores: FloatArray) -> pl.DataFrame:
        rows = batch.retrieved.rows
        order = _order(rows, batch.retrieved.columns, scores)
        starts = np.searchsorted(rows, rows)
        ranked = self._pairs(batch)[order].with_columns(
            run=pl.lit(name),
            rank=pl.Series(np.arange(len(order)) - starts + 1, dtype=pl.Int32),
            score=pl.Series(scores[order], dtype=pl.Float64),
        )
        return ranked.filter(pl.col("rank") <= self.bundle.candidates.depth).select(*RUNS.columns)

    def _pairs(self, batch: Batch) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "query_id": pl.Series(batch.queries.ids, dtype=pl.String)[batch.retrieved.rows],
                "passage_id": self.bundle.passages["passage_id"][batch.retrieved.columns],
            }
        )


def _order(rows: np.ndarray, columns: np.ndarray, scores: FloatArray) -> np.ndarray:
    """Order pairs by question, then score from the highest, then passage."""
    return np.lexsort((columns, -scores, rows))
