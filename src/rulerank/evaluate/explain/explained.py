"""A model together with the judged questions on which it is explained."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray
from rulerank.bundle import Model
from rulerank.evaluate.explain.importance import Described


@dataclass(frozen=True, eq=False)
class Explained:
    """A model and judged questions on which it was not trained.

    Parameters
    ----------
    model : Model
        The model of an exported ranker.
    table : the FEATURES table
        The candidates of these questions.
    judgements : the JUDGEMENTS table
        The judgements of these questions, and perhaps of others.
    threads : int
        Threads of a prediction.

    """

    model: Model
    table: pl.DataFrame
    judgements: pl.DataFrame
    threads: int

    @property
    def questions(self) -> int:
        """The number of questions."""
        return self.table["query_id"].n_unique()

    @cached_property
    def described(self) -> Described:
        """The questions as the model sees them."""
        return Described(
            self.table.select("query_id", "passage_id"),
            self.table.select(self.model.features.names).to_numpy(order="c"),
            self.judgements.join(self.table, on="query_id", how="semi"),
        )

    @cached_property
    def scores(self) -> FloatArray:
        """The model's score of each pair."""
        return self.predict(self.described.matrix)

    def predict(self, matrix: FloatArray) -> FloatArray:
        """Return the scores of rows of features."""
        return self.model.trees.scores(matrix, self.threads).astype(np.float32)

    def shares(self, matrix: FloatArray) -> FloatArray:
        """Return the SHAP values of rows of features, in the same shape."""
        return self.model.trees.contributions(matrix, self.threads).astype(np.float32)

    def some(self, pairs: int, generator: np.random.Generator) -> Explained:
        """Return the same for as many whole random questions as `pairs` allows, at least one."""
        sizes = self.table.group_by("query_id", maintain_order=True).len()
        drawn = sizes[generator.permutation(sizes.height)]
        within = drawn.filter((pl.col("len").cum_sum() <= pairs) | (pl.int_range(pl.len()) == 0))
        return replace(self, table=self.table.join(within, on="query_id", how="semi"))

    def leading(self, depth: int, pairs: int, generator: np.random.Generator) -> FloatArray:
        """Return the features of at most `pairs` pairs, drawn from the first `depth` of each question."""
        first = np.flatnonzero(self.described.ranks(self.scores).to_numpy() <= depth)
        rows = np.sort(generator.choice(first, min(pairs, len(first)), replace=False))
        drawn: FloatArray = self.described.matrix[rows]
        return drawn
