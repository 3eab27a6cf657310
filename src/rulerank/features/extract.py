"""The feature matrix, batch by batch: the same code in training and in a running service."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.features.pairs import Pairs
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import Retrieved, retrieve
from rulerank.settings import Candidates

CELLS = 1 << 20
"""Cells of a (queries, passages) matrix in one batch: bounds memory whatever the size of the corpus."""

UNSEEN = -1
"""The cluster of a question whose judgements are in no training data."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some questions with their candidates and features.

    Parameters
    ----------
    queries : Queries
        The questions.
    retrieved : Retrieved
        Their runs and candidates.
    matrix : array of shape (pairs, features), float32
        One row a candidate.

    """

    queries: Queries
    retrieved: Retrieved
    matrix: FloatArray


def extract(
    index: RankingIndex,
    queries: Queries,
    held_out: IntArray,
    features: FeatureSet,
    settings: Candidates,
    candidates: pl.DataFrame | None = None,
    workers: int = 1,
    first_pass: FirstPass | None = None,
) -> Iterator[Batch]:
    """Retrieve and describe the candidates of questions, in batches of bounded memory.

    Parameters
    ----------
    index : RankingIndex
        The passages.
    queries : Queries
        The questions.
    held_out : array of shape (queries,)
        The cluster of each, whose judgements stay out of its features; `UNSEEN` for none.
    features : FeatureSet
        The columns.
    settings : Candidates
        The section `candidates` of params.yaml.
    candidates : polars.DataFrame, optional
        query_id and passage_id of the pairs to describe; by default the union of the generators' own.
    workers : int, optional (default=1)
        Batches described side by side; the result is the same for any number.
    first_pass : FirstPass, optional
        Makes the list that features of the second pass look at.

    """
    given = None if candidates is None else _places(candidates, queries, index.passage_ids)
    alone = features if first_pass is None else features.of_pass(1)

    def describe(start: int, batch: Queries) -> Batch:
        retrieved = retrieve(index.search, batch, settings, index.closure)
        if given is not None:
            rows, columns = given
            inside = slice(*np.searchsorted(rows, [start, start + len(batch)]))
            retrieved = replace(retrieved, rows=rows[inside] - start, columns=columns[inside])
        pairs = Pairs(index, batch, retrieved, held_out[start : start + len(batch)])
        matrix = alone.compute(pairs)
        if first_pass is not None:
            second = features.of_pass(2).compute(first_pass.listing(pairs, alone, matrix))
            matrix = np.hstack([matrix, second])
        return Batch(batch, retrieved, matrix)

    waiting: deque[Future[Batch]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for part in batches(queries, len(index)):
            waiting.append(pool.submit(describe, *part))
            # Each batch holds matrices as wide as the corpus: no more of them than there is work for.
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def look_again(
    index: RankingIndex,
    queries: Queries,
    held_out: IntArray,
    described: FeatureSet,
    features: FeatureSet,
    first_pass: FirstPass,
    table: pl.DataFrame,
) -> Iterator[pl.DataFrame]:
    """Add features of the second pass to a table that has those of the first.

    Parameters
    ----------
    index, queries, held_out
        As in `extract`.
    described : FeatureSet
        The columns of `table`.
    features : FeatureSet
        The columns to add.
    first_pass : FirstPass
        Makes the list that they look at.
    table : polars.DataFrame
        query_id, passage_id and the columns of `described`; rows of other questions are passed over.

    Yields
    ------
    polars.DataFrame
        Rows of the table with the new columns.

    """
    placed = _placed(table, queries, index.passage_ids)
    rows, columns = (placed[name].to_numpy() for name in ("row", "column"))
    for start, batch in batches(queries, len(index)):
        inside = slice(*np.searchsorted(rows, [start, start + len(batch)]))
        part = placed[inside].drop("row", "column")
        found = Retrieved({}, {}, rows[inside] - start, columns[inside])
        pairs = Pairs(index, batch, found, held_out[start : start + len(batch)])
        matrix = part.select(described.names).to_numpy()
        yield part.hstack(features.frame(features.compute(first_pass.listing(pairs, described, matrix))))


def batches(queries: Queries, passages: int) -> Iterator[tuple[int, Queries]]:
    """Yield batches whose (queries, passages) matrix stays within `CELLS`, and where each starts."""
    size = max(1, CELLS // max(passages, 1))
    for start in range(0, len(queries), size):
        yield start, queries.slice(start, start + size)


def unseen(queries: Queries) -> IntArray:
    """Return `held_out` for questions that are in no training data, shape (queries,)."""
    return np.full(len(queries), UNSEEN, np.int64)


def _places(candidates: pl.DataFrame, queries: Queries, passage_ids: pl.Series) -> tuple[IntArray, IntArray]:
    """Return question and passage of the candidates of these questions, question by question."""
    pairs = _placed(candidates, queries, passage_ids)
    return pairs["row"].to_numpy(), pairs["column"].to_numpy()


def _placed(table: pl.DataFrame, queries: Queries, passage_ids: pl.Series) -> pl.DataFrame:
    """Return the rows of these questions with `row` and `column`, their question and passage, in order."""
    ids = pl.Series(queries.ids, dtype=pl.String)
    rows = pl.DataFrame({"query_id": ids, "row": np.arange(len(queries))})
    columns = pl.DataFrame({"passage_id": passage_ids, "column": np.arange(len(passage_ids))})
    return table.join(rows, on="query_id").join(columns, on="passage_id").sort("row", "column")
