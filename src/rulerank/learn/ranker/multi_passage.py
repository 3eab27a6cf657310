"""The weight of a step on top of the trees, chosen by multi-passage nDCG, out of fold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, DoubleArray, IntArray, bounds
from rulerank.features.withheld import NOTHING, Withheld
from rulerank.learn.ranker.ndcg import dcg, ideals


@dataclass(frozen=True, eq=False)
class MultiPassageNdcg:
    """nDCG@10 on training questions with several relevant passages.

    Questions from which more judgements are hidden than those of their own cluster take no part. Nor do those
    with a single relevant passage, because what passages say about each other is of no use there.

    Parameters
    ----------
    labels : int array of shape (pairs,)
        Relevance, with adjacent rows per question.
    sizes : int array of shape (questions,)
        Number of rows of each question.
    ideal : array of shape (questions,)
        The greatest possible DCG@10 of each question.
    taken : boolean array of shape (questions,)
        Which questions take part.

    """

    labels: IntArray
    sizes: IntArray
    ideal: DoubleArray
    taken: BoolArray

    @classmethod
    def of(cls, scored: pl.DataFrame, withheld: Withheld, judgements: pl.DataFrame) -> Self:
        """Return the measure on scored rows.

        Parameters
        ----------
        scored : polars.DataFrame
            Columns query_id and relevance, with adjacent rows per question.
        withheld : Withheld
            What each question must not see, in the order of the rows.
        judgements : polars.DataFrame
            The judgements table.

        """
        blocks = scored["query_id"].rle().struct.unnest()
        relevant = judgements.filter(pl.col("relevance") > 0).group_by("query_id").agg(relevant=pl.len())
        asked = (
            blocks.select(query_id="value")
            .join(relevant, on="query_id", how="left", maintain_order="left")
            .join(ideals(judgements), on="query_id", how="left", maintain_order="left")
        )
        several = (asked["relevant"] > 1).fill_null(value=False).to_numpy()
        return cls(
            scored["relevance"].to_numpy().astype(np.int64),
            blocks["len"].to_numpy().astype(np.int64),
            asked["ideal"].to_numpy(),
            several & (withheld.levels == NOTHING),
        )

    @property
    def starts(self) -> IntArray:
        """Where the rows of each question begin, and finally where they end, shape (questions + 1,)."""
        return bounds(self.sizes)

    def best_weight(self, weights: Sequence[float], scores: DoubleArray, gains: DoubleArray) -> float:
        """Return the weight that adds the gains best, the least of equally good ones.

        Parameters
        ----------
        weights : sequence of float
            The weights to try.
        scores : array of shape (pairs,)
            Scores of the rows by models that have not seen the question.
        gains : array of shape (pairs,)
            What the step adds to them at weight 1.

        Returns
        -------
        float
            0 if no question takes part.

        """

        def measured(weight: float) -> float:
            found = dcg(scores + weight * gains, self.labels, self.sizes)
            return float((found[self.taken] / self.ideal[self.taken]).mean())

        return max(weights, key=measured) if self.taken.any() else 0.0
