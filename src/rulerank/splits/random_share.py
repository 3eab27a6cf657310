"""Random: a share of the training questions is held out too, for corpora published without held-out ones."""

from __future__ import annotations

import polars as pl

from rulerank.errors import InputError
from rulerank.splits.folds import cluster_hashes
from rulerank.splits.protocol import DROPPED, Split


def random_share(
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    clusters: pl.DataFrame,
    share: float,
    part: int,
    seed: int,
) -> Split:
    """Hold out a share of the training questions for validation, whole clusters of near-duplicates together.

    As for the folds, a hash of the seed and the cluster's smallest id decides. Questions published for
    validation or test keep their split.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables of these names, all splits.
    clusters : polars.DataFrame
        From `folds.cluster_queries`.
    share : float
        Approximate share of the clusters.
    part : int
        Which share, from 0. No cluster is in two parts, and each is in one of the 1 / `share` parts.
    seed : int
        Another seed holds out other questions.

    Raises
    ------
    InputError
        No training or no validation question with a text is left.

    """
    pool = queries.join(clusters, on="query_id", how="left", maintain_order="left")
    drawn = (cluster_hashes(pool, f"held out {seed}") / (share * 2**64)).floor() == part
    moved = drawn & (pool["split"] == "train") & pool["text"].is_not_null()
    split = pl.when(moved).then(pl.lit("validation")).otherwise("split")
    dealt = queries.with_columns(split=split)
    for name in ("train", "validation"):
        if dealt.filter(pl.col("split") == name, pl.col("text").is_not_null()).is_empty():
            raise InputError(
                "queries",
                f"expected {name} questions with a text, found none. "
                "Change prepare.held_out_share or held_out_part in params.yaml, or add questions.",
            )
    return Split(dealt, judgements, pl.DataFrame(schema=DROPPED), {"held_out": int(moved.sum())})
