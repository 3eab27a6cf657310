"""Rankers trained on a part of the features, to see how much each group is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import GROUPS
from rulerank.tables import RANK, RUNS
from rulerank.trees import Trees

PAPER = (
    *("unigram_hits", "bigram_hits", "q_coverage", "idf_overlap_sum"),
    *("q_len", "d_len", "len_diff", "len_ratio_q_over_d"),
    *("bm25_score", "bm25_rank", "dense_score", "dense_rank", "rrf_score", "rrf_rank"),
    *("bm25_dense_blend", "dense_x_rrf", "rank_diff", "rank_abs_diff", "rank_min", "rank_max"),
    *("pr", "hits_auth", "deg"),
    *("q_to_nbrcentroid_cos", "q_to_nbrmean_cos"),
)
"""The features of ObliQA-MP (Table 2), under their names here."""

NAMED = {"paper": PAPER}
"""Feature lists that are ablated by name."""

Kind = Literal["one pass", "without", "only", "named"]


@dataclass(frozen=True)
class Variant:
    """A part of the features.

    Parameters
    ----------
    name : str
        The group left out or kept alone, or the name of a list.
    kind : {"one pass", "without", "only", "named"}
        Whether it has every feature of the first pass, or which of the other parts it is.
    features : FeatureSet
        The features of the variant.

    """

    name: str
    kind: Kind
    features: FeatureSet


def variants(features: FeatureSet) -> list[Variant]:
    """Return the parts of a feature set: its first pass, without each group, each group alone, and lists.

    Through the list that the first pass makes, the second pass looks at every feature. So groups are taken
    out of the first. A named list is left out if the set lacks one of its features.
    """
    first = features.of_pass(1)
    present = [group for group in GROUPS if any(each.group == group for each in first)]
    alone = [FeatureSet(tuple(each for each in first if each.group == group)) for group in present]
    parts = [Variant("all groups", "one pass", first)]
    parts += [Variant(group, "without", first.without(group)) for group in present]
    parts += [Variant(group, "only", part) for group, part in zip(present, alone, strict=True)]
    parts += [
        Variant(name, "named", features.named(list(names)))
        for name, names in NAMED.items()
        if set(names) <= set(features.names)
    ]
    return [part for part in parts if 0 < len(part.features) < len(features)]


def rank(trees: Trees, table: pl.DataFrame, run: str, threads: int) -> pl.DataFrame:
    """Rank the candidates of a features table by a model, which finds its columns by name.

    Parameters
    ----------
    trees : Trees
        The model.
    table : polars.DataFrame
        The features table.
    run : str
        The name of the run.
    threads : int
        Threads that score the rows.

    Returns
    -------
    polars.DataFrame
        The runs table; equal scores keep the order of the table.

    """
    matrix = table.select(trees.names).to_numpy(order="c")
    scores = pl.Series("score", trees.scores(matrix, threads), pl.Float64)
    ranked = table.select("query_id", "passage_id", scores).with_columns(
        run=pl.lit(run),
        rank=RANK,
    )
    return RUNS.check(ranked.select(*RUNS.columns), "features")
