"""How much completing judged sets should count: chosen on training questions, out of fold."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import IntArray
from rulerank.features.completion import Completion, companions
from rulerank.features.curve import probabilities
from rulerank.features.judgement_index import JudgementIndex
from rulerank.features.withheld import NOTHING, Withheld
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.ndcg import dcg, ideals

WEIGHTS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
"""What is tried; the least of equals is taken."""

AT_ONCE = 512
"""Questions whose judgements are looked up together: bounds the memory."""


def fit_completion(
    scored: pl.DataFrame,
    passages: IntArray,
    withheld: Withheld,
    index: JudgementIndex,
    judgements: pl.DataFrame,
) -> tuple[Completion, NDArray[np.float64]]:
    """Choose the weight of completion for a ranker.

    The judge is nDCG@10 on training questions with several relevant passages, from which no judgement beside
    those of the own cluster is hidden: with a single one there is no set to complete.

    Parameters
    ----------
    scored : polars.DataFrame
        Columns query_id, relevance and score, by a model that has not seen the question; the rows of one
        question together.
    passages : int array of shape (pairs,)
        The passage of each row, as the index counts them.
    withheld : Withheld
        What each question must not see, in the order of the rows.
    index : JudgementIndex
        What was judged.
    judgements : polars.DataFrame
        The judgements table.

    Returns
    -------
    completion : Completion
        With the weight that serves best.
    scores : array of shape (pairs,)
        The scores, completed.

    """
    blocks = scored["query_id"].rle().struct.unnest()
    scores, labels = scored["score"].to_numpy(), scored["relevance"].to_numpy().astype(np.int64)
    sizes = blocks["len"].to_numpy().astype(np.int64)
    curve = platt(scores, labels)
    gains = _companions(probabilities(scores, curve), passages, sizes, withheld, index)
    relevant = judgements.filter(pl.col("relevance") > 0).group_by("query_id").agg(relevant=pl.len())
    asked = blocks.select(query_id="value").join(relevant, on="query_id", how="left", maintain_order="left")
    ideal = asked.join(ideals(judgements), on="query_id", how="left", maintain_order="left")["ideal"]
    judges = (asked["relevant"] > 1).fill_null(value=False).to_numpy() & (withheld.levels == NOTHING)

    def measured(weight: float) -> float:
        found = dcg(scores + weight * gains, labels, sizes)
        return float((found[judges] / ideal.to_numpy()[judges]).mean())

    weight = max(WEIGHTS, key=measured) if judges.any() else 0.0
    return Completion(weight, curve), scores + weight * gains


def _companions(
    probability: NDArray[np.floating],
    passages: IntArray,
    sizes: IntArray,
    withheld: Withheld,
    index: JudgementIndex,
) -> NDArray[np.float64]:
    """Return what completing adds to each row at weight 1, shape (pairs,)."""
    ends = np.cumsum(sizes)
    found = np.zeros(len(passages), np.float64)
    for first in range(0, len(sizes), AT_ONCE):
        last = min(first + AT_ONCE, len(sizes))
        rows = slice(ends[first] - sizes[first], ends[last - 1])
        asked = np.repeat(np.arange(last - first), sizes[first:last])
        judged = index.of_pairs(asked, passages[rows], withheld.part(first, last))
        found[rows] = companions(index, judged, probability[rows].astype(np.float32))
    return found
