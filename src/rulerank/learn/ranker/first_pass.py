"""First-pass rankers out of fold: training questions are listed by one that has not seen their judgements."""

from __future__ import annotations

import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit, fit_alone


def fit_first_passes(
    training: pl.DataFrame | pl.LazyFrame, features: FeatureSet, choice: Choice, seed: int, threads: int
) -> OutOfFold[FirstPass]:
    """Train a first pass on every fold, and one without each.

    Parameters
    ----------
    training, features, choice, seed, threads
        As in `recipe.fit`; features of the first pass alone.

    Returns
    -------
    OutOfFold of FirstPass
        All share one curve, that of the scores by models which had not seen the question.

    """
    trained = fit(training, features, choice, seed, threads)
    # Not their mean: new questions are to be listed by what lists training questions, a single model.
    single = fit_alone(training, trained, features, choice, seed, threads)
    models = OutOfFold(single, trained.models.without)
    return models.map(lambda trees: FirstPass(trees, features, trained.calibration))
