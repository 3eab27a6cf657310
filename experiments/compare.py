"""Hold tracked results against each other: one page, as Markdown and as HTML, with its pictures.

    python experiments/compare.py RUN [RUN ...]

A RUN is an MLflow run by its id, the start of one, or its name; or a folder `outputs/evaluation`. After a
colon may stand which of its rankings is meant: `full:rrf`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import mlflow
import polars as pl
import typer
from mlflow.entities import Run

from rulerank.bundle import MANIFEST, RANKER
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.comparison import (
    MEASURE,
    Result,
    comparable,
    differences,
    group_markdown,
    overview,
)
from rulerank.evaluate.figures import differences_figure, png, recall_figure
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import markdown_table
from rulerank.files import read_json, replacing_folder, write_text
from rulerank.settings import load_settings

SCORES, FACTS, RECALL = "per_query.parquet", "queries.parquet", "recall_by_depth.csv"
BASELINE = "rrf"
"""What a result is held against when nothing else answered its questions."""

PUBLISHED = "published"
"""The protocol of results from before there were two."""
SHORTEST = 4
"""Characters of a run's id that are enough to look for it."""

INTERVALS = "Means, each with its 95 % bootstrap interval.\n"
SEPARATE = (
    "These results are of different questions, or of models that were shown different training questions:\n"
    "no paired test is made across them. Tests stand below, within each set of questions.\n"
)


@dataclass(frozen=True)
class Evaluation:
    """The files of one evaluation.

    Parameters
    ----------
    name : str
        As it was asked for.
    folder : Path
        Where the files are.
    data, protocol : str
        Name of the corpus, and how its questions were split.

    """

    name: str
    folder: Path
    data: str
    protocol: str


def main(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Results, the one in question first.")],
    store: Annotated[str, typer.Option(help="MLflow store; without it that of params.yaml.")] = "",
    split: Annotated[str, typer.Option(help="The questions to compare on.")] = "validation",
    model: Annotated[str, typer.Option(help="The ranking meant where a RUN names none.")] = RANKER,
    baseline: Annotated[str, typer.Option(help="RUN to list losses against; without it the second.")] = "",
    output: Annotated[Path, typer.Option(help="Folder of the page.")] = Path("outputs/comparison"),
) -> None:
    """Compare results; write compare.md, compare.html and their pictures."""
    with reported():
        settings = load_settings()
        wanted = dict.fromkeys([*runs, *filter(None, [baseline])])
        read = {name: _read(name, split, model, store or settings.track.store) for name in wanted}
        groups = [
            _with_baseline(group, read, split) for group in comparable([each for _, each in read.values()])
        ]
        results = [result for group in groups for result in group]
        permutations, seed = settings.evaluate.permutations, settings.seed
        about = f"Split: {split}; randomisation tests of {permutations} rounds; seed: {seed}.\n"
        parts = [f"# Comparison on {split}\n", about, INTERVALS, markdown_table(overview(results, seed))]
        parts += [SEPARATE] if len(groups) > 1 else []
        with replacing_folder(output) as folder:
            pictures: dict[str, bytes] = {}
            for place, group in enumerate(groups, start=1):
                other = next((result for result in group[1:] if result.label == baseline), group[1])
                drawn = _pictures(group, other, split, place)
                pictures |= {name: content for name, (_, content) in drawn.items()}
                shown = [f"![{said}]({name})\n" for name, (said, _) in drawn.items()]
                parts.append(group_markdown(group, other, shown, permutations, seed))
            for name, content in pictures.items():
                (folder / name).write_bytes(content)
            write_text(folder / "compare.md", "\n".join(parts))
            write_text(folder / "compare.html", html_page("\n".join(parts), pictures))
    typer.echo(output / "compare.html")


def _read(name: str, split: str, model: str, store: str) -> tuple[Evaluation, Result]:
    """Find the evaluation that a RUN names, and in it the ranking that is meant."""
    before, _, run = name.rpartition(":")
    meant = [(name, model), *([(before, run)] if before else [])]
    for find in (_folder, partial(_tracked, store=store)):
        for place, ranking in meant:
            if (evaluation := find(place)) is not None:
                return evaluation, _result(evaluation, ranking, split, name)
    raise InputError(name, f"expected a run of {store} or a folder outputs/evaluation, found neither.")


def _folder(name: str) -> Evaluation | None:
    if not (Path(name) / SCORES).is_file():
        return None
    manifest = Path(name).parent / "bundle" / MANIFEST
    facts = read_json(manifest) if manifest.is_file() else {"data": {}, "settings": {}}
    protocol = facts["settings"].get("prepare", {}).get("protocol", PUBLISHED)
    return Evaluation(name, Path(name), facts["data"].get("name", name), protocol)


def _tracked(name: str, store: str) -> Evaluation | None:
    found = _runs(name, store)
    if len(found) > 1:
        ids = ", ".join(run.info.run_id for run in found)
        raise InputError(name, f"expected one run, found {len(found)}: {ids}. Give one of these ids.")
    if not found:
        return None
    run_id = found[0].info.run_id
    held = [file.path for file in mlflow.artifacts.list_artifacts(run_id=run_id, tracking_uri=store)]
    if SCORES not in held:
        raise InputError(
            name, f"expected {SCORES} among its artifacts, found {held}. Choose a run of `track`."
        )
    folder = Path(mlflow.artifacts.download_artifacts(run_id=run_id, tracking_uri=store))
    params = found[0].data.params
    return Evaluation(name, folder, params.get("data.name", name), params.get("prepare.protocol", PUBLISHED))


def _runs(name: str, store: str) -> list[Run]:
    """Return the runs of that id, else of that name, else of ids that start so; the newest first."""
    mlflow.set_tracking_uri(store)
    runs: list[Run] = mlflow.search_runs(search_all_experiments=True, output_format="list")
    choices: tuple[Callable[[Run], bool], ...] = (
        lambda run: run.info.run_id == name,
        lambda run: run.info.run_name == name,
        lambda run: len(name) >= SHORTEST and run.info.run_id.startswith(name),
    )
    return next((found for choice in choices if (found := list(filter(choice, runs)))), [])


def _result(evaluation: Evaluation, run: str, split: str, label: str) -> Result:
    scores = pl.read_parquet(evaluation.folder / SCORES)
    for column, value in (("split", split), ("run", run)):
        known = scores[column].unique(maintain_order=True).to_list()
        if value not in known:
            raise InputError(label, f"expected a {column} among {known}, found {value!r}.")
        scores = scores.filter(pl.col(column) == value)
    facts, recall = _table(evaluation, FACTS), _table(evaluation, RECALL)
    named, here = pl.lit(label).alias("run"), (pl.col("split") == split)
    return Result(
        label,
        run,
        evaluation.data,
        evaluation.protocol,
        scores.select(named, "query_id", *MEASURES),
        None if facts is None else facts.filter(here),
        None if recall is None else recall.filter(here, pl.col("run") == run).with_columns(named),
    )


def _table(evaluation: Evaluation, name: str) -> pl.DataFrame | None:
    path = evaluation.folder / name
    if not path.is_file():
        return None
    return pl.read_csv(path) if path.suffix == ".csv" else pl.read_parquet(path)


def _with_baseline(
    group: list[Result], read: Mapping[str, tuple[Evaluation, Result]], split: str
) -> list[Result]:
    """Put the fusion of its own evaluation beside a result that nothing else can be paired with."""
    if len(group) > 1:
        return group
    evaluation, (result,) = read[group[0].label][0], group
    other = BASELINE if result.run != BASELINE else RANKER
    return [result, _result(evaluation, other, split, f"{evaluation.name}:{other}")]


def _pictures(group: list[Result], baseline: Result, split: str, place: int) -> dict[str, tuple[str, bytes]]:
    """Draw the pictures of one group: by file name, what each shows and its bytes."""
    first = group[0]
    about = f"{first.data}, protocol {first.protocol}, {split}, {first.scores.height} questions"
    paired = differences(first, baseline)["difference"].to_numpy()
    losses = differences_figure(paired, first.label, baseline.label, MEASURE, about)
    drawn = {f"differences_{place}.png": ("Gain or loss of each question", png(losses))}
    recall = [result.recall for result in group if result.recall is not None]
    if recall:
        lines = recall_figure(pl.concat(recall), about)
        drawn[f"recall_by_depth_{place}.png"] = ("Recall against the number of passages read", png(lines))
    return drawn


if __name__ == "__main__":
    typer.run(main)
