"""The command `rulerank skew`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulerank.commands.arguments import AsJson
from rulerank.commands.output import print_json
from rulerank.console import say
from rulerank.errors import InputError

if TYPE_CHECKING:
    import polars as pl

SHOWN = 15
"""The number of features printed; `--json` has all."""


def skew(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="The file that `rank --features-log` wrote.")],
    bundle: Annotated[Path, typer.Option("--bundle", help="Folder of the ranker that served.")],
    window: Annotated[str, typer.Option("--window", help="Length of the time windows: 1d, 1w, 6h.")] = "1d",
    as_json: AsJson = False,
) -> None:
    """Compare served features with those of training, and ask the logged questions again.

    Prints the least stable features with their population stability index (above 0.25: changed), null rates
    and quantiles; questions and scores by model and time window; and how far features and scores differ when
    the questions are asked again. If they differ, or candidates are lost, the exit code is 1.

    Example: rulerank skew served.jsonl --bundle outputs/bundle
    """
    import rulerank
    from rulerank.bundle.reference import read_reference
    from rulerank.evaluate.served import read_log
    from rulerank.evaluate.skew import drift, feature_skew, replay

    ranker = rulerank.load(bundle)
    reference = read_reference(bundle)
    served, other = read_log(log, ranker.bundle)
    if not served.height:
        raise InputError(
            log,
            f"expected questions that the ranker in {bundle} answered, found {other} that another one "
            "answered. Give the bundle that served.",
        )
    features = feature_skew(served, reference)
    windows = drift(served, ranker.bundle.index.bm25.vocabulary, ranker.bundle.analyser, window)
    again = replay(served, ranker)
    if as_json:
        print_json(
            {
                "features": features.to_dicts(),
                "windows": windows.with_columns(windows["start"].dt.to_string("iso")).to_dicts(),
                "replay": vars(again),
                "other": other,
            }
        )
    else:
        for table in (features.head(SHOWN), windows):
            _print(table)
        say(
            f"replay: {again.questions} questions ({other} of another bundle left out), "
            f"{again.lost} candidates lost, difference {again.difference:.3g} {again.worst}".rstrip()
        )
    if not again.same:
        raise typer.Exit(1)


def _print(table: pl.DataFrame) -> None:
    """Print a table in columns as wide as their content."""
    cells = [table.columns, *([_cell(value) for value in row] for row in table.rows())]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        line = "  ".join(value.rjust(width) for value, width in zip(row, widths, strict=True))
        say(line.rstrip())
    say()


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    return f"{value:%Y-%m-%d %H:%M}" if isinstance(value, datetime) else str(value)
