"""The feature matrix, batch by batch, with the same code in training and in a running service."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, FloatArray, IntArray, cells
from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.index import RankingIndex
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import Withheld
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import retrieve
from rulerank.settings import Candidates
from rulerank.threads import parallel_map

CANDIDATES = 1 << 15
"""The most candidates of one batch. This bounds memory whatever the size of the corpus."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Some questions with their candidates and features.

    Parameters
    ----------
    pairs : Pairs
        The questions and their candidates.
    matrix : array of shape (pairs, features), float32
        One row per candidate.

    """

    pairs: Pairs
    matrix: FloatArray

    @property
    def every(self) -> BoolArray:
        """All candidates, as a mask, shape (pairs,)."""
        return np.ones(len(self.matrix), np.bool_)

    def frame(self, features: FeatureSet) -> pl.DataFrame:
        """Return query_id, passage_id and the columns `features` of the matrix."""
        return named_pairs(self.pairs).hstack(features.frame(self.matrix))


def extract(
    index: RankingIndex,
    queries: Queries,
    withheld: Withheld,
    features: FeatureSet,
    settings: Candidates,
    workers: int = 1,
    first_pass: FirstPass | None = None,
    without: Sequence[IntArray] | None = None,
) -> Iterator[Batch]:
    """Retrieve and describe the candidates of questions, in batches of bounded memory.

    Parameters
    ----------
    index : RankingIndex
        The passages.
    queries : Queries
        The questions.
    withheld : Withheld
        The judgements that are kept out of each question's features.
    features : FeatureSet
        The columns.
    settings : Candidates
        The section `candidates` of params.yaml.
    workers : int, optional (default=1)
        Number of batches described at the same time; the result does not depend on it.
    first_pass : FirstPass, optional
        Makes the list that features of the second pass look at.
    without : sequence of int arrays, optional
        For each question, the columns of passages that count as not in the corpus.

    """

    def described(part: tuple[int, Queries]) -> Batch:
        start, batch = part
        stop = start + len(batch)
        left_out = None if without is None else without[start:stop]
        pairs = candidates(index, batch, withheld.part(start, stop), settings, left_out)
        return Batch(pairs, describe(pairs, features, first_pass))

    yield from parallel_map(described, batches(queries, settings), workers)


def describe(pairs: Pairs, features: FeatureSet, first_pass: FirstPass | None = None) -> FloatArray:
    """Return the features of pairs, shape (pairs, features); see `extract`."""
    if first_pass is None:
        return features.compute(pairs)
    alone = features.of_pass(1)
    matrix = alone.compute(pairs)
    return np.hstack([matrix, features.of_pass(2).compute(first_pass.listing(pairs, alone, matrix))])


def extract_second_pass(
    index: RankingIndex,
    queries: Queries,
    withheld: Withheld,
    described: FeatureSet,
    features: FeatureSet,
    settings: Candidates,
    first_pass: FirstPass,
    table: pl.DataFrame,
    workers: int = 1,
) -> Iterator[pl.DataFrame]:
    """Compute features of the second pass for a table that has the features of the first.

    Parameters
    ----------
    index, queries, withheld, settings, workers
        As in `extract`.
    described : FeatureSet
        The columns of `table`.
    features : FeatureSet
        The columns to compute.
    first_pass : FirstPass
        Makes the list that these features look at.
    table : polars.DataFrame
        query_id, passage_id and the columns of `described`. It begins with the candidates of these questions
        in the order of `extract`; any further rows are ignored.

    Yields
    ------
    polars.DataFrame
        The new columns of the table's next rows.

    Raises
    ------
    InputError
        The table does not begin with the candidates of these questions.

    """
    sizes = dict(table["query_id"].value_counts().iter_rows())

    def parts() -> Iterator[tuple[int, int, Queries]]:
        place = 0
        for start, batch in batches(queries, settings):
            yield place, start, batch
            place += sum(sizes.get(query, 0) for query in batch.ids)

    def listed(part: tuple[int, int, Queries]) -> pl.DataFrame:
        place, start, batch = part
        pairs = candidates(index, batch, withheld.part(start, start + len(batch)), settings)
        rows = table.slice(place, sum(sizes.get(query, 0) for query in batch.ids))
        if not rows.select("query_id", "passage_id").equals(named_pairs(pairs)):
            raise InputError(
                "pairs",
                f"expected the {len(pairs.rows)} candidates of {len(batch)} questions in order, found "
                f"{rows.height} rows with other pairs. Run `dvc repro extract`.",
            )
        matrix = rows.select(described.names).to_numpy()
        return features.frame(features.compute(first_pass.listing(pairs, described, matrix)))

    return parallel_map(listed, parts(), workers)


def candidates(
    index: RankingIndex,
    queries: Queries,
    withheld: Withheld,
    settings: Candidates,
    without: Sequence[IntArray] | None = None,
) -> Pairs:
    """Retrieve the candidates of one batch of questions, as if the passages left out were not there.

    Parameters
    ----------
    index, queries, withheld, settings, without
        As in `extract`.

    """
    absent = cells(without or [], len(index))
    retrieved = retrieve(index.finding(settings), queries, settings, absent)
    return Pairs(index, queries, retrieved, withheld, absent)


def named_pairs(pairs: Pairs) -> pl.DataFrame:
    """Return query_id and passage_id of each pair."""
    ids = pl.Series("query_id", pairs.queries.ids, dtype=pl.String)
    return pl.DataFrame([ids[pairs.rows], pairs.index.passage_ids[pairs.columns].alias("passage_id")])


def batches(queries: Queries, settings: Candidates) -> Iterator[tuple[int, Queries]]:
    """Yield batches of at most `CANDIDATES` candidates, and where each starts among the questions."""
    size = batch_size(settings)
    for start in range(0, len(queries), size):
        yield start, queries.slice(start, start + size)


def batch_size(settings: Candidates) -> int:
    """Return how many questions a batch has, at most."""
    return max(1, CANDIDATES // (settings.depth * len(settings.runs)))
