"""Compare RefWalk with the exported ranker, with parts of it changed, and with other orders of its passages.

    python experiments/refwalk.py [--questions 100] [--scorer NAME] [--anchor rules] [--parts rules]

Writes outputs/refwalk/metrics.json and report.md.
"""

from __future__ import annotations

import sys
import time
from typing import Annotated

import numpy as np
import polars as pl
import typer
from rich.progress import track

from rulerank.console import reported
from rulerank.evaluate.articles import by_article
from rulerank.evaluate.measures import candidate_recall, per_query
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import BUNDLE, OUTPUTS
from rulerank.ranker import Ranker
from rulerank.refwalk.anchor import AnchorSource
from rulerank.refwalk.build import anchor_model, build_refwalk, cross_encoder, decomposer
from rulerank.refwalk.page import BASELINES, write_refwalk
from rulerank.refwalk.trial import Trial
from rulerank.refwalk.variants import pool_run
from rulerank.settings import load_settings
from rulerank.timing import timed

OUTPUT = OUTPUTS / "refwalk"


def main(
    questions: Annotated[int | None, typer.Option(min=1, help="Questions to sample; all by default.")] = None,
    scorer: Annotated[
        str | None, typer.Option(help="Hub name or folder of a cross-encoder; the ranker itself by default.")
    ] = None,
    anchor: Annotated[AnchorSource, typer.Option(help="How the anchors are extracted.")] = AnchorSource.rules,
    parts: Annotated[AnchorSource, typer.Option(help="How questions are split.")] = AnchorSource.rules,
) -> None:
    """Measure RefWalk on the validation questions."""
    settings = load_settings()
    with timed("refwalk") as measured:
        ranker = Ranker.load(BUNDLE, threads=settings.threads)
        bundle = ranker.bundle
        workspace = Outputs()
        queries = _drawn(workspace.validation(), questions, settings.seed)
        judged = workspace.judgements_of(queries["query_id"])
        scores = None if scorer is None else cross_encoder(scorer, bundle, settings.device)
        walk = build_refwalk(ranker, anchor_model(anchor), settings.refwalk, scores)
        trial = Trial(walk, bundle, decomposer(parts), judged, settings.seed)
        rows = queries.select("query_id", "text").iter_rows()
        hidden, start = not sys.stderr.isatty(), time.perf_counter()
        for query, text in track(rows, "RefWalk", total=queries.height, disable=hidden):
            trial.ask(query, text)
        measured["seconds_a_question"] = round((time.perf_counter() - start) / queries.height, 4)
        baselines, candidates = ranker.runs(queries.drop("row", "cluster", "fold"))
        runs = pl.concat([baselines.filter(pl.col("run").is_in(BASELINES)), *trial.runs()])
        levels = queries.select("query_id", "level")
        articles = per_query(*by_article(judged, runs, bundle.passages))
        recall = {
            "candidates": candidate_recall(judged, candidates),
            "pool": candidate_recall(judged, pool_run("pool", walk, trial.pools, trial.ids)),
        }
    about = {"anchors": anchor.value, "scorer": scorer or "the ranker", "questions": queries.height}
    measures = per_query(judged, runs).join(levels, on="query_id", maintain_order="left")
    write_refwalk(OUTPUT, settings, about, trial, recall, measures, articles)
    typer.echo(f"written: {OUTPUT}/metrics.json, {OUTPUT}/report.md")


def _drawn(queries: pl.DataFrame, number: int | None, seed: int) -> pl.DataFrame:
    """Return a random sample of the questions, or all of them, in their original order."""
    drawn = np.random.default_rng(seed).permutation(queries.height)[:number]
    return queries[np.sort(drawn)]


if __name__ == "__main__":
    with reported():
        typer.run(main)
