"""Arguments and options that several commands share."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from rulerank.threads import MOST_THREADS

BundlePath = Annotated[Path, typer.Argument(metavar="BUNDLE", help="Folder of an exported ranker.")]
Question = Annotated[str, typer.Argument(metavar="QUESTION", help="A question in plain words.")]
Depth = Annotated[int, typer.Option("--k", min=1, help="Passages to rank, at most.")]
ModelName = Annotated[
    str,
    typer.Option(
        "--model",
        help="The model that orders them: ranker, ranker_on_new_rules, ranker_with_judgement or "
        "ranker_without_judgement.",
    ),
]
AsOf = Annotated[
    datetime | None,
    typer.Option("--as-of", formats=["%Y-%m-%d"], help="The day whose law applies; by default today."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Threads = Annotated[int, typer.Option("--threads", min=1, max=MOST_THREADS, help="Threads of the encoder.")]
