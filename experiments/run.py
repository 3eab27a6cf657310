"""Run a named experiment in a folder of its own, `runs/<name>`, and write its page there.

    python experiments/run.py full --data path/to/folder

The folder holds a copy of the project's code and a params.yaml of its own, and DVC reruns there what has
changed. All experiments share embeddings and fine-tuned encoders (`.cache`), what other corpora lend
(`data/others`) and the MLflow store.
"""

from __future__ import annotations

import filecmp
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

import mlflow
import typer
import yaml

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.errors import InputError, RulerankError, SettingsError
from rulerank.evaluate.experiment import Experiment, grid_points, merged, nested, read_experiment
from rulerank.evaluate.page import html_page
from rulerank.evaluate.published import read_published
from rulerank.evaluate.results import read_results
from rulerank.evaluate.summary import Finished, summary
from rulerank.files import replacing, write_text
from rulerank.settings import Settings, load_settings
from rulerank.yaml_files import read_yaml

PARAMS, RUNS = Path("params.yaml"), Path("runs")
NAMED, EXPECTED = Path("experiments/named"), Path("experiments/expected")
PUBLISHED = Path("experiments/published.yaml")
ROOMS, FILES = ("src", "features", "train", "experiments"), ("dvc.yaml", ".dvcignore")
SAMPLE, CACHE, OTHERS = Path("data/sample"), Path(".cache"), Path("data/others")
SQLITE = "sqlite:///"
VALIDATION = "validation"
"""The split on which the points of a grid are compared; test questions choose nothing."""


def main(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A file of experiments/named, without .yaml.")],
    data: Annotated[Path | None, typer.Option(help="The corpus; by default that of params.yaml.")] = None,
    grid: Annotated[bool, typer.Option("--grid", help="Also run every point of its grid.")] = False,
) -> None:
    """Run the experiment, write runs/NAME/page.md and page.html, and check the expected results."""
    with reported():
        experiment = read_experiment(NAMED, name)
        published = read_published(PUBLISHED, experiment.published)
        if grid and not experiment.grid:
            raise InputError(name, "expected an experiment with a grid, found none. Run it without --grid.")
        folder, expected = RUNS / name, EXPECTED / f"{name}.json"
        params = _params(experiment, name, data)
        settings = _write_params(folder, params, name)
        _refresh(folder)
        logging.getLogger("mlflow").setLevel(logging.WARNING)
        mlflow.set_tracking_uri(settings.track.store)
        # Set here: otherwise all artifacts would be stored in the folder of whichever run came first.
        mlflow.set_experiment(settings.track.experiment)
        wanted = grid_points(experiment.grid) if grid else []
        points = [_point(folder, params, point, name) for point in wanted]
        _write_params(folder, params, name)
        _dvc(folder, "repro")
        page = summary(
            Finished(name, experiment.about, folder, settings.prepare.protocol, published, points, expected)
        )
        write_text(folder / "page.md", page)
        write_text(folder / "page.html", html_page(page))
    typer.echo(folder / "page.html")
    if expected.is_file():
        raise typer.Exit(_python(Path(), "experiments/check.py", name))
    typer.echo(f"no expected results yet: python experiments/check.py {name} --record")


def _params(experiment: Experiment, name: str, data: Path | None) -> dict[str, Any]:
    """Return the project's params with those of the experiment on top, and absolute paths."""
    base = read_yaml(PARAMS)
    settings = load_settings(PARAMS)
    root = data or settings.data.root
    if root != SAMPLE and not root.is_dir():
        raise InputError(root, "expected a folder of regulations and questions, found none. Check the path.")
    store = settings.track.store
    if store.startswith(SQLITE):
        store = SQLITE + str(Path(store.removeprefix(SQLITE)).resolve())
    places = {
        # The sample is written by the run itself.
        "data": {"root": str(SAMPLE if root == SAMPLE else root.resolve())},
        "track": {"store": store, "name": name},
    }
    return merged(merged(base, experiment.params), places)


def _write_params(folder: Path, params: Mapping[str, Any], name: str) -> Settings:
    with replacing(folder / PARAMS) as temporary:
        temporary.write_text(yaml.safe_dump(dict(params), sort_keys=False), encoding="utf-8")
        try:
            return load_settings(temporary)
        except SettingsError as error:
            raise SettingsError(str(error).replace(str(temporary), str(NAMED / f"{name}.yaml"))) from error


def _refresh(folder: Path) -> None:
    """Bring the folder's copy of the code up to date, under a DVC of its own."""
    wanted = _code(Path())
    for path in wanted:
        source, target = Path(path), folder / path
        if not (target.is_file() and filecmp.cmp(source, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    for path in set(_code(folder)) - set(wanted):
        (folder / path).unlink()
    for shared in (CACHE, OTHERS):
        if not (folder / shared).exists():
            shared.mkdir(exist_ok=True)
            (folder / shared).parent.mkdir(exist_ok=True)
            (folder / shared).symlink_to(shared.resolve(), target_is_directory=True)
    if not (folder / ".dvc").is_dir():
        _dvc(folder, "init", "--no-scm", "--quiet")


def _code(root: Path) -> list[str]:
    """Return what a run needs of a project, relative to `root`."""
    files = [root / name for name in FILES] + [path for room in ROOMS for path in (root / room).rglob("*")]
    kept = (path for path in files if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(root).as_posix() for path in kept)


def _dvc(folder: Path, *arguments: str) -> None:
    if _python(folder, "-m", "dvc", *arguments):
        raise RulerankError(
            f"{folder}: `dvc {arguments[0]}` failed; the reason is printed above. Finished stages "
            "are kept: correct the cause and run the same command again."
        )


def _python(folder: Path, *arguments: str) -> int:
    """Run this Python in a folder, on the code there; its output goes to the terminal."""
    environment = {
        **{key: value for key, value in os.environ.items() if key != "RULERANK_DATA"},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str((folder / "src").resolve()),
        "DVC_NO_ANALYTICS": "1",
    }
    return subprocess.run([sys.executable, *arguments], cwd=folder, env=environment).returncode  # noqa: S603


def _point(folder: Path, params: Mapping[str, Any], point: dict[str, Any], name: str) -> dict[str, Any]:
    """Run one point of the grid, tracked as its own MLflow run; return it with the ranker's measures."""
    label = ", ".join(f"{key.rpartition('.')[2]} {value}" for key, value in point.items())
    tracked = {"track": {"name": f"{name}: {label}"}}
    _write_params(folder, merged(merged(params, nested(point)), tracked), name)
    _dvc(folder, "repro", "track")
    runs = read_results(folder / "outputs").runs
    if VALIDATION not in runs:
        raise InputError(folder, "expected validation questions to compare the grid's points on, found none.")
    return {**point, "split": VALIDATION, **runs[VALIDATION][RANKER]}


if __name__ == "__main__":
    typer.run(main)
