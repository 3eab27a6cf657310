"""First passes on disk, without importing anything that trains them."""

from __future__ import annotations

from pathlib import Path

from rulerank.features.feature_set import FeatureSet
from rulerank.features.first_pass import FirstPass
from rulerank.files import read_json, write_json, write_text
from rulerank.learn.out_of_fold import OutOfFold
from rulerank.trees import Trees

MODELS, FEATURES, CALIBRATION = "models", "features.json", "calibration.json"


def save_first_passes(passes: OutOfFold[FirstPass] | None, folder: Path) -> None:
    """Write first passes that share their features and curve; with None, write nothing."""
    if passes is None:
        return
    passes.save(folder / MODELS, lambda each, path: write_text(path, each.trees.text))
    write_json(folder / FEATURES, passes.full.features.describe())
    write_json(folder / CALIBRATION, dict(passes.full.curve))


def load_first_passes(folder: Path, known: FeatureSet) -> OutOfFold[FirstPass] | None:
    """Read what `save_first_passes` wrote; None if there is no first pass.

    Parameters
    ----------
    folder : Path
        The folder.
    known : FeatureSet
        Features that include those of the first passes.

    """
    if not (folder / MODELS).is_dir():
        return None
    features = known.named([each["name"] for each in read_json(folder / FEATURES)])
    curve = read_json(folder / CALIBRATION)
    return OutOfFold.load(folder / MODELS, lambda path: FirstPass(Trees.read(path), features, curve))
