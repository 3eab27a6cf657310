"""A trained ranker on disk: its models, and how each training question is ranked out of fold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from rulerank.bundle import Model
from rulerank.errors import InputError
from rulerank.features.affinity import Affinity
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.standing import Standing
from rulerank.files import read_json, write_json, write_text
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.trees import Trees

MODELS, FULL, HELD_OUT = "models", "models/full", "held_out.parquet"
COLUMNS, CALIBRATION, COMPLETION = "features.json", "calibration.json", "completion.json"
AFFINITY, AFFINITIES, STANDING = "affinity.json", "affinity", "standing"


def save_ranker(
    folder: Path,
    models: OutOfFold[Trees],
    features: FeatureSet,
    curve: Mapping[str, float],
    held_out: pl.DataFrame,
    *,
    completion: Completion | None = None,
    affinity: OutOfFold[Affinity] | None = None,
    standing: OutOfFold[Standing] | None = None,
) -> None:
    """Write a ranker into a new folder.

    Parameters
    ----------
    folder : Path
        The new folder.
    models, features, curve
        As in `Model`.
    held_out : polars.DataFrame
        query_id, passage_id, relevance, fold and `score` of each training row, by a model new to it.
    completion, affinity, standing : optional
        As in `Model`. The models without each fold share completion, the curves and the weight of affinity.

    """
    models.save(folder / MODELS, lambda trees, path: write_text(path, trees.text))
    write_json(folder / COLUMNS, features.describe())
    write_json(folder / CALIBRATION, dict(curve))
    write_json(folder / COMPLETION, completion and completion.as_json())
    write_json(folder / AFFINITY, affinity and affinity.full.as_json())
    if affinity is not None:
        affinity.save(folder / AFFINITIES, lambda each, path: write_text(path, each.trees.text))
    if standing is not None:
        standing.save(folder / STANDING, lambda each, path: write_json(path, each.as_json()))
    held_out.write_parquet(folder / HELD_OUT)


def load_rankers(folder: Path, known: FeatureSet) -> dict[str, OutOfFold[Model]]:
    """Read the rankers of a folder by name, each with its models without each fold.

    Raises
    ------
    InputError
        The folder has none.

    """
    names = sorted(path.parent.name for path in folder.glob(f"*/{COLUMNS}"))
    if not names:
        raise InputError(folder, "expected a trained ranker, found none. Run `dvc repro ranker`.")
    return {name: _load(folder / name, known) for name in names}


def load_trees(folder: Path, name: str) -> Trees:
    """Read the trees of one ranker of a folder.

    Raises
    ------
    InputError
        There is no such ranker.

    """
    path = folder / name / FULL
    if not path.is_file():
        raise InputError(path, "expected a trained ranker, found none. Run `dvc repro ranker`.")
    return Trees.read(path)


def _load(folder: Path, known: FeatureSet) -> OutOfFold[Model]:
    features = known.named([each["name"] for each in read_json(folder / COLUMNS)])
    curve, said = read_json(folder / CALIBRATION), read_json(folder / COMPLETION)
    completion = None if said is None else Completion.read(said)
    near = read_json(folder / AFFINITY)

    def read(path: Path) -> Model:
        affinity = None if near is None else Affinity.read(Trees.read(folder / AFFINITIES / path.name), near)
        own = folder / STANDING / path.name
        standing = Standing.read(read_json(own), features.names) if own.is_file() else None
        return Model(Trees.read(path), features, curve, completion, affinity, standing)

    return OutOfFold.load(folder / MODELS, read)
