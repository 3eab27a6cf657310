"""The page of an experiment: its results and published ones, its checks, its cost and its evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from rulerank.errors import InputError
from rulerank.evaluate.expected import Expected, check
from rulerank.evaluate.published import Publication, with_published
from rulerank.evaluate.report import markdown_table
from rulerank.evaluate.results import read_results
from rulerank.files import read_json, read_text
from rulerank.settings import read_described
from rulerank.timing import TIMINGS
from rulerank.yaml_files import read_yaml

OTHERS = """\
Published rows belong to the questions that they name. If `same questions` says no, the figures of this run
and the published ones cannot be compared, and no test compares them.
"""
COUNTED = """\
The last run of each stage. What earlier runs left in `.cache` (embeddings, fine-tuned encoders, trials) was
reused and is not counted.
"""


@dataclass(frozen=True)
class Finished:
    """An experiment that has run.

    Parameters
    ----------
    name, about : str
        Name and description of the experiment.
    folder : Path
        Where it ran.
    protocol : str
        How its questions were split.
    published : sequence of Publication
        Publications whose figures are listed with its own.
    grid : str
        The section on its grid, or empty if the grid was not run.
    expected : Path
        Its file of expected results, which may be missing.

    """

    name: str
    about: str
    folder: Path
    protocol: str
    published: Sequence[Publication]
    grid: str
    expected: Path


def summary(finished: Finished) -> str:
    """Return the page of a finished experiment as Markdown."""
    results = read_results(finished.folder / "outputs")
    parts = [
        f"# {finished.name}\n\n{finished.about}\n",
        "## Results beside published ones\n",
        *([OTHERS] if finished.published else []),
        markdown_table(with_published(results, finished.published, finished.protocol)),
        *([finished.grid] if finished.grid else []),
        "## Expected results\n",
        _checks(finished),
        "## Time and memory\n",
        COUNTED,
        _costs(finished.folder),
        _evaluation(finished.folder),
    ]
    return "\n".join(parts)


def _checks(finished: Finished) -> str:
    path = finished.expected
    if not path.is_file():
        return f"None are recorded yet: `python experiments/check.py {finished.name} --record`.\n"
    try:
        checked = check(read_described(path, Expected), read_results(finished.folder / "outputs"), path)
    except InputError as error:
        return f"Not checked: {error}\n"
    met = pl.when("ok").then(pl.lit("yes")).otherwise(pl.lit("NO")).alias("ok")
    return markdown_table(checked.with_columns(met))


def _costs(folder: Path) -> str:
    stages = read_yaml(folder / "dvc.yaml")["stages"]
    files = {stage: folder / TIMINGS / f"{stage}.json" for stage in stages}
    measured = {stage: read_json(path) for stage, path in files.items() if path.is_file()}
    rows = [(stage, each["seconds"], each["peak_memory_mib"]) for stage, each in measured.items()]
    rows.append(("sum, maximum", sum(row[1] for row in rows), max(row[2] for row in rows)))
    costs = pl.DataFrame(rows, schema=["stage", "seconds", "peak memory, MiB"], orient="row")
    return markdown_table(costs, digits=1)


def _evaluation(folder: Path) -> str:
    """Return the report of the evaluation, its headings one level down, and the id of the tracked run."""
    report = read_text(folder / "outputs/evaluation/report.md")
    lines = [f"#{line}" if line.startswith("#") else line for line in report.splitlines()]
    return "\n".join([*lines, f"\nMLflow run: {read_json(folder / 'outputs/track.json')['run_id']}.\n"])
