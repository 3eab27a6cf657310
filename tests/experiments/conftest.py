"""A copy of the project with a small experiment."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).parents[2]
TRIAL = {
    "about": "A small ranker of the sample.",
    "params": {"track": {"model": "trial"}},
    "published": ["obliqa_mp"],
    "grid": {"track.experiment": ["others"]},
}


@pytest.fixture(scope="session")
def trial() -> dict[str, Any]:
    """The contents of the file of the experiment `trial`."""
    return TRIAL


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, pipeline: Path) -> Path:
    """A copy of the project with the experiment `trial`, whose first stages have already run."""
    folder = tmp_path_factory.mktemp("experiments") / "project"
    for room in ("src", "features", "train", "experiments"):
        shutil.copytree(PROJECT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("dvc.yaml", ".dvcignore"):
        shutil.copy(PROJECT / name, folder / name)
    shutil.copy(pipeline / "params.yaml", folder / "params.yaml")
    for name in ("outputs", "data", ".dvc"):
        shutil.copytree(pipeline / name, folder / "runs/trial" / name, ignore=shutil.ignore_patterns("tmp"))
    shutil.copy(pipeline / "dvc.lock", folder / "runs/trial/dvc.lock")
    # The pipeline is under git; a run is not.
    (folder / "runs/trial/.dvc/config").write_text("[core]\n    no_scm = true\n")
    (folder / "experiments/named/trial.yaml").write_text(yaml.safe_dump(TRIAL))
    return folder
