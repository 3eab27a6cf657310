"""Run a named experiment in its own folder, `runs/<name>`, and write its page there.

    python experiments/run.py full --data path/to/folder

The folder holds a copy of the project's code and its own params.yaml, and DVC reruns there what has changed.
All experiments share embeddings and fine-tuned encoders (`.cache`), the training questions that other corpora
lend (`data/others`), users' feedback (`data/feedback`) and the MLflow store.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")

import mlflow
import polars as pl
import typer

from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.grid import Point, grid_page
from rulerank.evaluate.page import html_page
from rulerank.evaluate.published import read_published
from rulerank.evaluate.summary import Finished, summary
from rulerank.evaluate.tracking import use_store
from rulerank.files import write_text
from rulerank.pipeline.experiment import grid_points, merged, read_experiment
from rulerank.pipeline.paths import PER_QUERY
from rulerank.pipeline.run_folder import EXPECTED, NAMED, RunFolder, python
from rulerank.settings import Settings, nested

PUBLISHED = Path("experiments/published.yaml")
VALIDATION = "validation"
"""The split on which the points of a grid are compared; test questions are not used to choose."""


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
        folder, expected = RunFolder.of(experiment, name, data), EXPECTED / f"{name}.json"
        settings = _next_run(folder, {})
        wanted = grid_points(experiment.grid) if grid else []
        points = [_point(folder, point) for point in wanted]
        section = grid_page(points, settings.evaluate.permutations, settings.seed) if points else ""
        _next_run(folder, {})
        folder.dvc("repro")
        protocol = settings.prepare.protocol
        page = summary(Finished(name, experiment.about, folder.path, protocol, published, section, expected))
        write_text(folder.path / "page.md", page)
        write_text(folder.path / "page.html", html_page(page))
    typer.echo(folder.path / "page.html")
    if expected.is_file():
        raise typer.Exit(python(Path(), "experiments/check.py", name))
    typer.echo(f"no expected results yet: python experiments/check.py {name} --record")


def _next_run(folder: RunFolder, changes: Mapping[str, Any]) -> Settings:
    """Write the params of the next run, and create its MLflow experiment if there is none."""
    settings = folder.write_params(changes)
    logging.getLogger("mlflow").setLevel(logging.WARNING)
    use_store(settings.track.store)
    # Set here; otherwise all artifacts would be stored in the folder of whichever run came first.
    mlflow.set_experiment(settings.track.experiment)
    return settings


def _point(folder: RunFolder, point: dict[str, Any]) -> Point:
    """Run one point of the grid, tracked as its own MLflow run."""
    label = ", ".join(f"{key.rpartition('.')[2]} {value}" for key, value in point.items())
    _next_run(folder, merged(nested(point), {"track": {"name": f"{folder.name}: {label}"}}))
    folder.dvc("repro", "track")
    scores = pl.read_parquet(folder.path / PER_QUERY).filter(split=VALIDATION)
    if scores.is_empty():
        raise InputError(
            folder.path, "expected validation questions to compare the grid's points on, found none."
        )
    return Point(point, scores)


if __name__ == "__main__":
    typer.run(main)
