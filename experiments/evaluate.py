"""Stage evaluate: measure the exported ranker, starting from the question text, and every single run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.authority.shown import order_of_passages
from rulerank.bundle import RANKER, WITHOUT_JUDGEMENT
from rulerank.corpora import write_run
from rulerank.errors import InputError
from rulerank.evaluate.controlling import controlling
from rulerank.evaluate.measures import MEASURES, average, by_depth, candidate_recall, per_query
from rulerank.evaluate.page import html_page
from rulerank.evaluate.report import results_markdown
from rulerank.evaluate.significance import compare
from rulerank.evaluate.slices import SLICINGS, by_slice, query_facts
from rulerank.features.index import DESCRIBED
from rulerank.files import read_json, replacing_folder, write_json, write_text
from rulerank.pipeline.paths import (
    BUNDLE,
    EVALUATION,
    HEADLINE,
    MEASURED_RUNS,
    METRICS,
    PER_QUERY,
    RECALL_BY_DEPTH,
    TABLES,
)
from rulerank.pipeline.stage import Outcome, Plot, stage
from rulerank.ranker import Ranker
from rulerank.settings import Settings
from rulerank.tables import JUDGEMENTS, QUERIES, stacked

MEASURED = ("validation", "test")
DEPTHS = (1, 2, 3, 5, 10, 20, 50, 100, 150)
FURTHER = 20
"""The additional depth at which the hybrid ObliQA system is measured, next to that of `MEASURES`."""
COMPARED = ("nDCG@10", "Recall@10")


@stage(
    "evaluate",
    reads=[BUNDLE, TABLES],
    writes=[
        PER_QUERY,
        EVALUATION / "queries.parquet",
        EVALUATION / "report.html",
        EVALUATION / "report.md",
        MEASURED_RUNS,
        METRICS,
    ],
    params=["evaluate", "seed", "threads"],
    figures=False,
    metrics=[HEADLINE],
    plots=[Plot("Recall by depth", RECALL_BY_DEPTH, x="depth", y="recall")],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/evaluation`."""
    ranker = Ranker.load(BUNDLE, threads=settings.threads)
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet")
    queries = QUERIES.read(TABLES / "queries.parquet")
    facts = query_facts(queries, judged, ranker.bundle.passages)
    asked = queries.filter(pl.col("text").is_not_null())
    present = [split for split in MEASURED if split in asked["split"]]
    with replacing_folder(EVALUATION) as folder:
        results = {
            split: _measure(ranker, asked.filter(pl.col("split") == split), judged, facts, settings, folder)
            for split in present
        }
        facts.write_parquet(folder / "queries.parquet")
        metrics = {split: result["metrics"] for split, result in results.items()}
        write_json(folder / METRICS.name, metrics)
        write_json(folder / HEADLINE.name, {split: _headline(each) for split, each in metrics.items()})
        stacked(result["per_query"] for result in results.values()).write_parquet(folder / PER_QUERY.name)
        stacked(result["recall"] for result in results.values()).write_csv(folder / RECALL_BY_DEPTH.name)
        sections = {
            heading: table for result in results.values() for heading, table in result["tables"].items()
        }
        comparisons = stacked(result["comparisons"] for result in results.values())
        report = results_markdown(sections, comparisons, _about(settings, ranker, results))
        write_text(folder / "report.md", report)
        write_text(folder / "report.html", html_page(report))
    return Outcome()


def _measure(
    ranker: Ranker,
    queries: pl.DataFrame,
    judgements: pl.DataFrame,
    facts: pl.DataFrame,
    settings: Settings,
    folder: Path,
) -> dict[str, Any]:
    """Rank the questions of one split and measure every run."""
    split = queries["split"][0]
    judged = judgements.filter(pl.col("query_id").is_in(queries["query_id"].implode()))
    runs, candidates = ranker.runs(queries, settings.evaluate.dense_weights)
    if runs.is_empty():
        raise InputError(
            "candidates.runs",
            f"expected passages that could answer a question of the {split} split, found none. Add a "
            "generator that needs no word of the question, such as dense.",
        )
    for name in runs["run"].unique(maintain_order=True):
        write_run(runs.filter(pl.col("run") == name), folder / MEASURED_RUNS.name / f"{split}.{name}.trec")
    scores = per_query(judged, runs).join(
        queries.select("query_id", "split", "collection", "level"), on="query_id", maintain_order="left"
    )
    means = average(scores)
    depths = by_depth(judged, runs, DEPTHS)
    further = depths.filter(depth=FURTHER).select(
        "run", pl.col("recall").alias(f"Recall@{FURTHER}"), pl.col("map").alias(f"MAP@{FURTHER}")
    )
    tables = {split: means.join(further, on="run", maintain_order="left")}
    if queries["collection"].n_unique() > 1:
        collections = average(scores, by=["collection"]).sort("collection", maintain_order=True)
        tables[f"{split}, by collection"] = collections
    passage_ids = ranker.bundle.passages["passage_id"]
    order = order_of_passages(ranker.bundle.edges, passage_ids)
    if order.superseded.any():
        tables[f"{split}, what controls"] = controlling(judged, runs, order, passage_ids)
    single = [*DESCRIBED, "semantic", *ranker.bundle.index.plugged_in]
    for slicing, table in by_slice(scores.select("run", "query_id", *MEASURES), facts).items():
        tables[f"{split}, by {slicing}: {SLICINGS[slicing]}"] = table
    return {
        "per_query": scores,
        "tables": tables,
        "recall": depths.insert_column(0, pl.lit(split).alias("split")),
        "comparisons": compared(scores, means, single, settings).insert_column(
            0, pl.lit(split).alias("split")
        ),
        "metrics": {
            "queries": queries.height,
            "candidate_recall": candidate_recall(judged, candidates),
            "runs": {row.pop("run"): row for row in tables[split].drop("queries").to_dicts()},
        },
    }


def _headline(metrics: dict[str, Any]) -> dict[str, float]:
    """Return the four measures of the exported ranker."""
    return {measure: metrics["runs"][RANKER][measure] for measure in MEASURES}


def compared(
    scores: pl.DataFrame, means: pl.DataFrame, single: Sequence[str], settings: Settings
) -> pl.DataFrame:
    """Test the ranker against the best of the single runs, the fusion, and the one without judgements."""
    best = means.filter(pl.col("run").is_in(single)).sort("nDCG@10", descending=True)["run"].head(1)
    others = [name for name in (*best, "rrf", WITHOUT_JUDGEMENT) if name in means["run"]]
    permutations, seed = settings.evaluate.permutations, settings.seed
    return pl.concat([compare(scores, RANKER, others, measure, permutations, seed) for measure in COMPARED])


def _about(settings: Settings, ranker: Ranker, results: dict[str, Any]) -> dict[str, object]:
    manifest = ranker.bundle.manifest
    return {
        "data": read_json(TABLES / "provenance.json")["name"],
        "protocol": manifest["settings"]["prepare"]["protocol"],
        "queries": ", ".join(f"{split} {result['metrics']['queries']}" for split, result in results.items()),
        "candidate recall": ", ".join(
            f"{split} {result['metrics']['candidate_recall']:.4f}" for split, result in results.items()
        ),
        "model": f"LambdaMART, LightGBM {manifest['versions']['lightgbm']}, encoder {settings.encoder.name}",
        "seed": settings.seed,
        "threads": settings.threads,
        "nDCG": "linear gains, log2(rank + 1), ideal from all judgements",
    }


if __name__ == "__main__":
    main.run()
