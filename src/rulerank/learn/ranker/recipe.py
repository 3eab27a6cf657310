"""How a ranker is trained: on all folds, and without each fold, with rounds that suit the latter together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.choice import RANKS, Choice
from rulerank.learn.ranker.groups import WEIGHT, to_groups
from rulerank.learn.ranker.lambdamart import train_on_folds
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class Trained:
    """A ranker, and how it ranks questions that it has not seen.

    Parameters
    ----------
    models : OutOfFold of Trees
        The ranker, and one model without each fold, all with the same number of trees.
    own_scores : polars.Series
        Scores of the training rows of the ranker's own corpus, by models that have not seen the question.
    calibration : dict of str to float
        From `calibration.platt`, fitted on these scores.

    """

    models: OutOfFold[Trees]
    own_scores: pl.Series
    calibration: dict[str, float]


def training_rows(table: pl.DataFrame | pl.LazyFrame, folds: pl.DataFrame) -> pl.LazyFrame:
    """Select the rows of the training questions that have a relevant candidate, and add their `fold`.

    They have the `weight` 1 and are `own`, unlike the rows of other corpora.

    Parameters
    ----------
    table : polars.DataFrame or polars.LazyFrame
        The features table; only query_id and relevance are read here.
    folds : frame with columns query_id and fold
        The training questions.

    Raises
    ------
    InputError
        There is no such question, or all are in one fold.

    """
    rows = table.lazy().select("query_id", "relevance").collect()
    taught = folds.join(rows.filter(pl.col("relevance") > 0), on="query_id", how="semi")
    found = taught["fold"].n_unique()
    if not found:
        raise InputError(
            "features",
            "expected a training question with a relevant candidate, found none. "
            "Check the judgements, or raise candidates.depth in params.yaml.",
        )
    if found == 1:
        raise InputError(
            "features",
            "expected training questions in two folds or more, found all in one: too few, all alike, or of "
            "too few groups. Add questions, or raise prepare.folds or prepare.near_duplicate in params.yaml.",
        )
    # Placed next to the table, not joined to it: a join would be repeated for every column that is read.
    fold = (
        rows.select("query_id").join(taught, on="query_id", how="left", maintain_order="left").select("fold")
    )
    folded = pl.concat([table.lazy(), fold.lazy()], how="horizontal").filter(pl.col("fold").is_not_null())
    return folded.with_columns(pl.lit(1.0, pl.Float32).alias(WEIGHT), own=pl.lit(True))


def fit(
    training: pl.DataFrame | pl.LazyFrame, features: FeatureSet, choice: Choice, seed: int, threads: int
) -> Trained:
    """Train a ranker.

    Parameters
    ----------
    training : polars.LazyFrame or polars.DataFrame
        From `training_rows`; a lazy frame is read a few columns at a time.
    features : FeatureSet
        The columns to learn from.
    choice : Choice
        Settings and depth.
    seed, threads : int
        Seed and threads of the training.

    Raises
    ------
    InputError
        All relevant passages within the depth belong to one fold.

    """
    rows = _rows(training)
    shown = choice.training(rows)
    if shown["fold"].n_unique() < 2:
        raise InputError(
            "features",
            "expected relevant candidates in two folds or more among the first "
            f"{choice.ranker.depth} of each question, found fewer. Raise ranker.depth in params.yaml.",
        )
    groups = to_groups(training, features.names)
    folds = rows["fold"].unique().sort().to_list()
    parts = [_split(rows, shown, fold) for fold in folds]
    everything = shown["row"].to_numpy().astype(np.int64)
    full, without = train_on_folds(
        groups, everything, parts, features.names, choice.ranker, seed=seed, threads=threads
    )
    scores = np.empty(len(groups.matrix))
    for trees, (_, hidden) in zip(without, parts, strict=True):
        scores[hidden] = trees.scores(groups.matrix[hidden], threads)
    models = OutOfFold(full, dict(zip(folds, without, strict=True)))
    own = rows["own"].to_numpy()
    return Trained(models, pl.Series(scores[own]), platt(scores[own], groups.labels[own]))


def out_of_fold_scores(own: pl.DataFrame | pl.LazyFrame, trained: Trained) -> pl.DataFrame:
    """Return query_id, passage_id, relevance, fold and out-of-fold `score` of the ranker's own rows."""
    columns = "query_id", "passage_id", "relevance", "fold"
    return own.lazy().select(columns).collect().with_columns(score=trained.own_scores)


def _rows(training: pl.DataFrame | pl.LazyFrame) -> pl.DataFrame:
    """Return number, question, relevance, fold, ranks and `own` of the training rows, without features."""
    ranks = [rank for rank in RANKS if rank in training.collect_schema()]
    return (
        training.lazy().select("query_id", "relevance", "fold", "own", *ranks).with_row_index("row").collect()
    )


def _split(rows: pl.DataFrame, shown: pl.DataFrame, fold: int) -> tuple[IntArray, IntArray]:
    """Return the rows from which the model without a fold learns, and those on which it is measured."""
    learned = shown.filter(pl.col("fold") != fold)["row"]
    hidden = rows.filter(pl.col("fold") == fold)["row"]
    return learned.to_numpy().astype(np.int64), hidden.to_numpy().astype(np.int64)
