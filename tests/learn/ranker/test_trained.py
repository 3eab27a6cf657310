from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.features.affinity import Affinity
from rulerank.features.completion import Completion
from rulerank.features.registry import GROUPS, registered
from rulerank.features.standing import Standing
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit, out_of_fold_scores
from rulerank.learn.ranker.saved import load_rankers
from rulerank.learn.ranker.trained import TrainedRanker
from rulerank.settings import Ranker

FEATURES = registered().named(["unigram_hits", "bm25_rank"])
CURVE = {"slope": 2.0, "intercept": -1.0}


@pytest.fixture(scope="module")
def trees(training_of) -> TrainedRanker:
    training = training_of(30, 5, folds=2, doubt=1.0)
    settings = Ranker(num_leaves=4, min_data_in_leaf=1, num_iterations=5, early_stopping_rounds=2)
    trained = fit(training, FEATURES, Choice(ranker=settings, groups=GROUPS), 7, 1)
    return TrainedRanker(trained.models, FEATURES, out_of_fold_scores(training, trained))


@pytest.fixture(scope="module")
def standing() -> OutOfFold[Standing]:
    names = ("unigram_hits",)
    return OutOfFold(
        Standing(names, np.array([0.5]), 0.75),
        {fold: Standing(names, np.array([fold / 4]), 0.5 + fold) for fold in (0, 1)},
    )


def test_figures_name_what_is_added(trees: TrainedRanker, standing: OutOfFold[Standing]) -> None:
    size = {"trees": trees.models.full.rounds, "features": 2}
    assert trees.figures == {**size, "affinity": 0.0}
    assert replace(trees, completion=Completion(1.5, CURVE)).figures == {**size, "completion": 1.5}
    affinity = trees.models.map(lambda each: Affinity(each, 0.3, CURVE, ()))
    assert replace(trees, standing=standing, affinity=affinity).figures == {
        **size,
        "factor": 0.75,
        "affinity": 0.3,
    }


def test_what_is_added_is_read_as_it_was_written(
    trees: TrainedRanker, standing: OutOfFold[Standing], tmp_path: Path
) -> None:
    affinity = trees.models.map(lambda each: Affinity(each, 0.3, CURVE, ()))
    replace(trees, standing=standing, affinity=affinity).save(tmp_path / "new")
    replace(trees, completion=Completion(1.5, CURVE)).save(tmp_path / "old")
    read = load_rankers(tmp_path, registered())
    assert sorted(read) == ["new", "old"]
    for fold, model in read["new"].items():
        assert model.trees.text == trees.models.for_fold(fold).text
        assert model.features == FEATURES
        assert model.completion is None
        assert model.affinity is not None
        assert model.affinity.as_json() == affinity.for_fold(fold).as_json()
        assert model.standing is not None
        assert model.standing.as_json() == standing.for_fold(fold).as_json()
    for model in (read["old"].full, *read["old"].without.values()):
        assert model.completion == Completion(1.5, CURVE)
        assert model.affinity is model.standing is None


def test_probabilities_are_of_the_scores_with_all_that_is_added(trees: TrainedRanker, tmp_path: Path) -> None:
    trees.save(tmp_path / "plain")
    trees.with_scores(2 * trees.scores).save(tmp_path / "doubled")
    read = load_rankers(tmp_path, registered())
    plain, doubled = read["plain"].full.curve, read["doubled"].full.curve
    assert doubled["slope"] == pytest.approx(plain["slope"] / 2, rel=1e-3)
    written = pl.read_parquet(tmp_path / "doubled" / "held_out.parquet")
    np.testing.assert_array_equal(written["score"], 2 * trees.scores)
