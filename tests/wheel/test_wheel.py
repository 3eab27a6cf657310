"""The wheel alone, in its own environment: `make test-wheel`. It needs a package index for pip."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rulerank.ranker import Ranker

pytestmark = pytest.mark.wheel

PROJECT = Path(__file__).parents[2]
QUESTION = "Who has to keep the register?"
LARGEST = 450
"""MiB of all that is installed, pip aside; Polars, NumPy and onnxruntime are three quarters of it."""
TRAINING = {
    "torch",
    "lightgbm",
    "scipy",
    "sklearn",
    "pandas",
    "mlflow",
    "optuna",
    "networkx",
    "dvc",
    "fastapi",
}
PROGRAM = f"""
import json, sys
import rulerank
ranker = rulerank.load(sys.argv[1])
ranked = [[each.passage_id, each.score] for each in ranker.rank({QUESTION!r}, 5)]
answer = ranker.answer({QUESTION!r})
print(json.dumps([ranked, answer.text, sorted({{name.partition(".")[0] for name in sys.modules}})]))
"""


@pytest.fixture(scope="module")
def lean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with only the wheel and its requirements."""
    folder = tmp_path_factory.mktemp("lean")
    wheels, environment = folder / "wheels", folder / "environment"
    _call(sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", str(wheels), str(PROJECT))
    (wheel,) = wheels.glob("rulerank-*.whl")
    _call(sys.executable, "-m", "venv", str(environment))
    constraints = str(PROJECT / "constraints.txt")
    _call(str(environment / "bin/pip"), "install", "--constraint", constraints, str(wheel))
    return environment


def test_wheel_ranks_and_answers_as_the_project_does(lean: Path, bundle: Path, tmp_path: Path) -> None:
    said = _call(str(lean / "bin/python"), "-c", PROGRAM, str(bundle), cwd=tmp_path)
    ranked, answered, loaded = json.loads(said)
    ranker = Ranker.load(bundle)
    expected = ranker.rank(QUESTION, 5)
    assert [each[0] for each in ranked] == [each.passage_id for each in expected]
    assert [each[1] for each in ranked] == pytest.approx([each.score for each in expected], abs=1e-6)
    assert answered == ranker.answer(QUESTION).text
    assert not TRAINING & set(loaded)


def test_environment_of_the_wheel_is_small_and_has_no_training_package(lean: Path) -> None:
    listed = json.loads(_call(str(lean / "bin/pip"), "list", "--format", "json"))
    assert not TRAINING & {each["name"].lower().replace("scikit-learn", "sklearn") for each in listed}
    (packages,) = lean.glob("lib/python*/site-packages")
    files = [
        each for each in packages.rglob("*") if each.is_file() and not each.is_relative_to(packages / "pip")
    ]
    assert sum(each.stat().st_size for each in files) / 2**20 < LARGEST


def _call(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
