"""First-pass rankers out of fold: training questions are listed by one that has not seen their judgements."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import lightgbm
import polars as pl

from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.features.registry import registered
from rulerank.files import read_json, write_json
from rulerank.learn.folds import FULL, without_fold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit, fit_alone

FEATURES, CALIBRATION = "features.json", "calibration.json"


def fit_first_passes(
    training: pl.DataFrame, features: FeatureSet, choice: Choice, seed: int, threads: int
) -> dict[str, FirstPass]:
    """Train a first pass on every fold, and one without each.

    Parameters
    ----------
    training, features, choice, seed, threads
        As in `recipe.fit`; features of the first pass alone.

    Returns
    -------
    dict of str to FirstPass
        By the names of the adapters that serve the same questions. All share one curve, that of the
        scores by models which had not seen the question.

    """
    trained = fit(training, features, choice, seed, threads)
    boosters = {without_fold(fold): booster for fold, booster in trained.without.items()}
    # Not their mean: what new questions are listed by is to be like what lists training questions, one model.
    boosters[FULL] = fit_alone(training, trained, features, choice, seed, threads)
    return {name: FirstPass(booster, features, trained.calibration) for name, booster in boosters.items()}


def save_first_passes(passes: Mapping[str, FirstPass], folder: Path) -> None:
    """Write first passes that share their features and curve; none leaves the folder without a file."""
    for name, each in passes.items():
        (folder / f"{name}.txt").write_text(each.booster.model_to_string(), encoding="utf-8")
        write_json(folder / FEATURES, each.features.describe())
        write_json(folder / CALIBRATION, dict(each.curve))


def load_first_passes(folder: Path) -> dict[str, FirstPass]:
    """Read what `save_first_passes` wrote, by name."""
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        return {}
    features = registered().named([each["name"] for each in read_json(folder / FEATURES)])
    curve = read_json(folder / CALIBRATION)
    return {path.stem: FirstPass(lightgbm.Booster(model_file=str(path)), features, curve) for path in paths}
