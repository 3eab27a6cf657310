"""Measure how much a ranker's figures depend on its seed: the same training under several seeds.

    python experiments/seeds.py [ranker | ranker_without_judgement]

Only the seed of LightGBM changes, not folds, features or settings. Measures are on validation, by the trees
alone: what an exported ranker adds to their scores is left out. Finished seeds are kept in outputs/seeds, so
an interrupted run continues where it stopped. Writes outputs/seeds/<model>.csv and .md.
"""

from __future__ import annotations

import sys
from typing import Annotated

import polars as pl
import typer
from rich.progress import track

from rulerank.bundle import RANKER
from rulerank.console import reported
from rulerank.evaluate.measures import MEASURES, per_query
from rulerank.evaluate.report import markdown_table
from rulerank.files import read_json, replacing, sha256, write_json, write_text
from rulerank.learn.ranker.ablation import rank
from rulerank.learn.ranker.choice import read_choice
from rulerank.learn.ranker.lending import with_lent_rows
from rulerank.learn.ranker.recipe import fit, training_rows
from rulerank.learn.ranker.saved import COLUMNS
from rulerank.pipeline.chosen import known_features
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import CHOICE, FEATURE_TABLE, OTHER_FEATURES, OUTPUTS, RANKERS, TABLES
from rulerank.settings import Settings, load_settings
from rulerank.tables import FEATURES
from rulerank.timing import timed

SEEDS = 5
WRITTEN = OUTPUTS / "seeds"

_PAGE = """\
# {base} under {count} seeds

{queries} validation questions; ideal from all judgements; the last two rows are the mean and the standard
deviation over the seeds.

{table}"""


def main(
    base: Annotated[str, typer.Argument(metavar="MODEL", help="An exported model.")] = RANKER,
) -> None:
    """Write the table and the page of one exported model."""
    with reported():
        _write(base)


def _write(base: str) -> None:
    settings = load_settings()
    with timed("seeds"):
        table = FEATURES.scan(FEATURE_TABLE)
        outputs = Outputs()
        asked = outputs.validation()["query_id"]
        judged = outputs.judgements_of(asked)
        own = training_rows(table, outputs.training_folds)
        questions = table.filter(pl.col("query_id").is_in(asked.implode())).collect()
        seeds = range(settings.seed, settings.seed + SEEDS)
        rows = [
            _measured(base, seed, own, questions, judged, settings)
            for seed in track(seeds, "seeds", disable=not sys.stderr.isatty())
        ]
        measured = pl.DataFrame({"seed": list(map(str, seeds))}).hstack(pl.DataFrame(rows).select(MEASURES))
        with replacing(WRITTEN / f"{base}.csv") as temporary:
            measured.write_csv(temporary)
        write_text(WRITTEN / f"{base}.md", _page(measured, base, judged["query_id"].n_unique()))
    print(f"written: {WRITTEN / base}.csv, {WRITTEN / base}.md")  # noqa: T201


def _measured(
    base: str,
    seed: int,
    own: pl.LazyFrame,
    questions: pl.DataFrame,
    judged: pl.DataFrame,
    settings: Settings,
) -> dict[str, float]:
    others = sorted(OTHER_FEATURES.rglob("*.parquet"))
    made_of = "-".join(
        sha256(path)[:12] for path in (FEATURE_TABLE, TABLES / "judgements.parquet", CHOICE, *others)
    )
    kept = WRITTEN / "kept" / f"{base}-{made_of}-{seed}.json"
    if not kept.is_file():
        described = read_json(RANKERS / base / COLUMNS)
        features = known_features(settings).named([each["name"] for each in described])
        choice = read_choice(CHOICE)
        training = with_lent_rows(
            own, settings.data.root.name, features, choice.ranker.others, OTHER_FEATURES
        )
        trees = fit(training, features, choice, seed, settings.threads).models.full
        scores = per_query(judged, rank(trees, questions, base, settings.threads))
        write_json(kept, {measure: float(scores[measure].to_numpy().mean()) for measure in MEASURES})
    means: dict[str, float] = read_json(kept)
    return means


def _page(measured: pl.DataFrame, base: str, queries: int) -> str:
    means = measured.select(pl.lit("mean").alias("seed"), pl.col(MEASURES).mean())
    spread = measured.select(pl.lit("standard deviation").alias("seed"), pl.col(MEASURES).std())
    table = markdown_table(pl.concat([measured, means, spread]))
    return _PAGE.format(base=base, count=measured.height, queries=queries, table=table)


if __name__ == "__main__":
    typer.run(main)
