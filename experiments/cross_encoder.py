"""A second pass by a cross-encoder over the ranker's first passages, as tried in the ObliQA-MP publication.

    python experiments/cross_encoder.py cross-encoder/ms-marco-MiniLM-L-6-v2 [--depth 50]

Reads outputs/bundle and outputs/tables, writes outputs/cross_encoder/report.md: means, and paired tests of
the second pass against the ranker, on validation questions.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.evaluate.measures import MEASURES, average, per_query
from rulerank.evaluate.report import results_markdown
from rulerank.evaluate.second_pass import second_pass
from rulerank.evaluate.significance import compare
from rulerank.files import write_text
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import BUNDLE
from rulerank.ranker import Ranker
from rulerank.refwalk.build import cross_encoder
from rulerank.settings import load_settings

OUTPUT = Path("outputs/cross_encoder/report.md")
SECOND_PASS = "cross_encoder"  # noqa: S105
SPLIT = "validation"


def main(
    model: Annotated[str, typer.Argument(help="Hub name or folder of a cross-encoder.")],
    depth: Annotated[int, typer.Option(min=1, help="First passages of the ranker that it reorders.")] = 50,
) -> None:
    """Measure the ranker with and without the second pass."""
    with reported():
        settings, outputs = load_settings(), Outputs()
        ranker = Ranker.load(BUNDLE, threads=settings.threads)
        scorer = cross_encoder(model, ranker.bundle, settings.device)
        queries = outputs.validation().select("query_id", "text")
        first = ranker.runs(queries)[0].filter(pl.col("rank") <= depth, run=RANKER)
        second = second_pass(SECOND_PASS, first, queries, ranker.bundle.passages["passage_id"], scorer)
        judged = outputs.judgements_of(queries["query_id"])
        scores = per_query(judged, pl.concat([first, second]))
        rounds, seed = settings.evaluate.permutations, settings.seed
        tests = [compare(scores, SECOND_PASS, [RANKER], measure, rounds, seed) for measure in MEASURES]
        about = {"cross-encoder": model, "depth": depth, "questions": queries.height, "seed": seed}
        write_text(OUTPUT, results_markdown({SPLIT: average(scores)}, pl.concat(tests), about))
    typer.echo(OUTPUT)


if __name__ == "__main__":
    typer.run(main)
