"""The command `rulerank export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.arguments import BundlePath
from rulerank.console import say


def export(
    bundle: BundlePath,
    to: Annotated[
        str,
        typer.Option("--to", help="onnx, elasticsearch, opensearch, solr, vespa or xgboost-json."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder to write; by default named after the format.")
    ] = None,
) -> None:
    """Write a ranker for a search engine, with the queries that compute its features.

    An engine can run only a one-pass ranker whose features it can compute: `make experiment NAME=portable`
    trains one. Before the folder is put in place, rows with values on thresholds and with missing values are
    sent through the trees as the engine would send them.

    Example: rulerank export outputs/bundle --to elasticsearch --out search
    """
    from rulerank.engines import export_bundle

    folder = out or Path(to)
    verified = export_bundle(bundle, to, folder)
    say(
        f"{folder}: {verified.rows} rows through {verified.trees} trees, {verified.on_thresholds} values on "
        f"thresholds and {verified.missing} missing: 0 wrong leaves, scores within {verified.difference:.1g}"
    )
