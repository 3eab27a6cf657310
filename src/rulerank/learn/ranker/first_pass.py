"""First-pass rankers out of fold: training questions are listed by one that has not seen their judgements."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.files import read_json, write_json, write_text
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit, fit_alone
from rulerank.trees import Trees

MODELS, FEATURES, CALIBRATION = "models", "features.json", "calibration.json"


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


def save_first_passes(passes: OutOfFold[FirstPass] | None, folder: Path) -> None:
    """Write first passes that share their features and curve; none leaves the folder without a file."""
    if passes is None:
        return
    passes.save(folder / MODELS, lambda each, path: write_text(path, each.trees.text))
    write_json(folder / FEATURES, passes.full.features.describe())
    write_json(folder / CALIBRATION, dict(passes.full.curve))


def load_first_passes(folder: Path, known: FeatureSet) -> OutOfFold[FirstPass] | None:
    """Read what `save_first_passes` wrote; None where there is no first pass.

    Parameters
    ----------
    folder : Path
        Where.
    known : FeatureSet
        The features that the first passes are made of, among others.

    """
    if not (folder / MODELS).is_dir():
        return None
    features = known.named([each["name"] for each in read_json(folder / FEATURES)])
    curve = read_json(folder / CALIBRATION)
    return OutOfFold.load(folder / MODELS, lambda path: FirstPass(Trees.read(path), features, curve))
