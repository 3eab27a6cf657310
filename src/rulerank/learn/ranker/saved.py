"""Trained rankers on disk: the names of their files, and how they are read."""

from __future__ import annotations

from pathlib import Path

from rulerank.bundle import Model
from rulerank.errors import InputError
from rulerank.features.affinity import Affinity
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.standing import Standing
from rulerank.files import read_json
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.trees import Trees

MODELS, FULL, HELD_OUT = "models", "models/full", "held_out.parquet"
COLUMNS, CALIBRATION, COMPLETION = "features.json", "calibration.json", "completion.json"
AFFINITY, AFFINITIES, STANDING = "affinity.json", "affinity", "standing"


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
