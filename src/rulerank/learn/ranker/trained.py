"""A trained ranker: its trees, what is added to their scores, and how it ranks its training questions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from rulerank.arrays import DoubleArray
from rulerank.features.affinity import Affinity
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.standing import Standing
from rulerank.files import write_json, write_text
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.learn.ranker.calibration import platt
from rulerank.learn.ranker.saved import (
    AFFINITIES,
    AFFINITY,
    CALIBRATION,
    COLUMNS,
    COMPLETION,
    HELD_OUT,
    MODELS,
    STANDING,
)
from rulerank.trees import Trees


@dataclass(frozen=True, eq=False)
class TrainedRanker:
    """A trained ranker: trees, and what is added to their scores.

    Parameters
    ----------
    models, features
        As in `Model`.
    held_out : polars.DataFrame
        query_id, passage_id, relevance, fold and `score` of each training row, by a model new to it.
    completion, affinity, standing : optional
        As in `Model`. The models without each fold share completion, the curves and the weight of affinity.

    """

    models: OutOfFold[Trees]
    features: FeatureSet
    held_out: pl.DataFrame
    completion: Completion | None = None
    affinity: OutOfFold[Affinity] | None = None
    standing: OutOfFold[Standing] | None = None

    @property
    def scores(self) -> DoubleArray:
        """The scores of the training rows, shape (pairs,)."""
        return self.held_out["score"].to_numpy()

    def with_scores(self, scores: DoubleArray) -> TrainedRanker:
        """Return the ranker with other scores of the training rows."""
        return replace(self, held_out=self.held_out.with_columns(score=scores))

    @property
    def figures(self) -> dict[str, float]:
        """The number of trees and features, and the weight of what is added."""
        said: dict[str, float] = {"trees": self.models.full.rounds, "features": len(self.features)}
        if self.standing is not None:
            said["factor"] = self.standing.full.factor
        if self.completion is not None:
            said["completion"] = self.completion.weight
        else:
            said["affinity"] = self.affinity.full.weight if self.affinity else 0.0
        return said

    def save(self, folder: Path) -> None:
        """Write the ranker into a new folder, with the curve from its scores to probabilities."""
        curve = platt(self.scores, self.held_out["relevance"].to_numpy())
        self.models.save(folder / MODELS, lambda trees, path: write_text(path, trees.text))
        write_json(folder / COLUMNS, self.features.describe())
        write_json(folder / CALIBRATION, curve)
        write_json(folder / COMPLETION, self.completion and self.completion.as_json())
        write_json(folder / AFFINITY, self.affinity and self.affinity.full.as_json())
        if self.affinity is not None:
            self.affinity.save(folder / AFFINITIES, lambda each, path: write_text(path, each.trees.text))
        if self.standing is not None:
            self.standing.save(folder / STANDING, lambda each, path: write_json(path, each.as_json()))
        self.held_out.write_parquet(folder / HELD_OUT)
