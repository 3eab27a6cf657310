"""First-pass rankers out of fold: each training question is listed by one new to its judgements."""

from __future__ import annotations

import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit


def fit_first_passes(
    training: pl.DataFrame | pl.LazyFrame, features: FeatureSet, choice: Choice, seed: int, threads: int
) -> OutOfFold[FirstPass]:
    """Train a first pass on all folds, and one without each fold.

    Parameters
    ----------
    training, features, choice, seed, threads
        As in `recipe.fit`; only features of the first pass.

    Returns
    -------
    OutOfFold of FirstPass
        All share one curve, fitted on the scores by models that have not seen the question.

    """
    trained = fit(training, features, choice, seed, threads)
    return trained.models.map(lambda trees: FirstPass(trees, features, trained.calibration))
