"""Compare tracked runs on one page, as Markdown and as HTML, with pictures.

    python experiments/compare.py RUN [RUN ...]

A RUN is an MLflow run, given by its id, the start of its id or its name, or a folder `outputs/evaluation`. A
colon selects one of its rankings: `full:rrf`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

os.environ.setdefault("MLFLOW_DISABLE_TELEMETRY", "true")
os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")

import polars as pl
import typer

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.errors import InputError
from rulerank.evaluate.comparison import (
    Result,
    comparable,
    differences,
    group_markdown,
    overview,
)
from rulerank.evaluate.figures import differences_figure, png, recall_figure
from rulerank.evaluate.measures import MEASURE
from rulerank.evaluate.named_results import Evaluation, find_result, read_result
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import markdown_table
from rulerank.files import replacing_folder, write_text
from rulerank.settings import load_settings

PAGE, WEB_PAGE = "compare.md", "compare.html"
WRITTEN = re.compile(r"compare\.(md|html)|(differences|recall_by_depth)_\d+\.png")
"""The names of the files of a comparison, which a later one may replace."""

BASELINE = "rrf"
"""What a result is compared with if no other result has the same questions."""

INTERVALS = "Means, each with its 95 % bootstrap interval.\n"
SEPARATE = (
    "These results are on different questions, or of models with different training questions, so no paired\n"
    "test compares them. Below, results with the same questions are tested against each other.\n"
)


def main(
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Results, the one in question first.")],
    store: Annotated[str, typer.Option(help="MLflow store; by default that of params.yaml.")] = "",
    split: Annotated[str, typer.Option(help="The questions to compare on.")] = "validation",
    model: Annotated[str, typer.Option(help="The ranking to read if a RUN selects none.")] = RANKER,
    baseline: Annotated[str, typer.Option(help="RUN to list losses against; by default the second.")] = "",
    output: Annotated[Path, typer.Option(help="Folder of the page.")] = Path("outputs/comparison"),
) -> None:
    """Compare results; write compare.md, compare.html and their pictures."""
    with reported():
        _require_replaceable(output)
        settings = load_settings()
        wanted = dict.fromkeys([*runs, *filter(None, [baseline])])
        read = {name: find_result(name, split, model, store or settings.track.store) for name in wanted}
        groups = [
            _with_baseline(group, read, split) for group in comparable([each for _, each in read.values()])
        ]
        _require_paired(baseline, groups[0])
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
            write_text(folder / PAGE, "\n".join(parts))
            write_text(folder / WEB_PAGE, html_page("\n".join(parts), pictures))
    typer.echo(output / WEB_PAGE)


def _require_replaceable(output: Path) -> None:
    """Raise InputError if the folder to be replaced holds anything but a comparison."""
    held = sorted(output.iterdir()) if output.is_dir() else []
    other = next((path.name for path in held if not (WRITTEN.fullmatch(path.name) and path.is_file())), None)
    if other is not None:
        raise InputError(
            output,
            f"expected no folder or that of an earlier comparison, found {other} in it. Choose another.",
        )


def _require_paired(baseline: str, group: list[Result]) -> None:
    """Raise InputError if the losses of the first result cannot be listed against the baseline asked for."""
    first, *others = (result.label for result in group)
    if baseline and baseline not in others:
        raise InputError(
            "--baseline",
            f"expected another result on the questions of {first}, found {baseline}, which cannot be paired "
            f"with it. Choose one of {', '.join(others)}.",
        )


def _with_baseline(
    group: list[Result], read: Mapping[str, tuple[Evaluation, Result]], split: str
) -> list[Result]:
    """Pair a result that shares its questions with no other result with the fusion of its own evaluation."""
    if len(group) > 1:
        return group
    evaluation, (result,) = read[group[0].label][0], group
    other = BASELINE if result.run != BASELINE else RANKER
    return [result, read_result(evaluation, other, split, f"{evaluation.name}:{other}")]


def _pictures(group: list[Result], baseline: Result, split: str, place: int) -> dict[str, tuple[str, bytes]]:
    """Draw the pictures of one group; return, by file name, the title and the bytes of each."""
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
