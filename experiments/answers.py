"""Stage answers: measure the answers under every protocol, and what the tail filters keep."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.corpora import read_run
from rulerank.evaluate.answers.by_models import by_models
from rulerank.evaluate.answers.filters import kept_of_hybrid
from rulerank.evaluate.answers.protocols import Protocols, judged_questions
from rulerank.evaluate.answers.report import answers_report
from rulerank.evaluate.answers.split import MeasuredSplit, measure_split
from rulerank.evaluate.page import html_page
from rulerank.files import read_json, replacing_folder, write_json, write_text
from rulerank.pipeline.paths import ANSWERS, BUNDLE, MEASURED_RUNS, OBLIGATIONS, TABLES
from rulerank.pipeline.stage import Outcome, Plot, stage
from rulerank.ranker import Ranker
from rulerank.retrieve.search import HYBRID
from rulerank.settings import Settings
from rulerank.tables import JUDGEMENTS, QUERIES, stacked
from rulerank.yaml_files import read_yaml

MEASURED = ("validation", "test")
OTHER = Path("experiments/other_questions.yaml")
"""Questions from other fields."""


@stage(
    "answers",
    reads=[BUNDLE, TABLES, OBLIGATIONS, MEASURED_RUNS, OTHER],
    writes=[ANSWERS],
    params=["answer.measured", "device", "evaluate", "seed", "threads"],
    plots=[Plot("Risk by coverage", ANSWERS / "risk_coverage.csv", x="coverage", y="risk")],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/answers`."""
    ranker = Ranker.load(BUNDLE, threads=settings.threads)
    protocols = Protocols(ranker, _last_day(ranker.bundle.passages), settings.seed)
    other = _declined(ranker, protocols.as_of)
    splits = dict(_splits(protocols, settings))
    metrics = {"other": other, **{split: each.figures for split, each in splits.items()}}
    against = {split: each.against(settings.evaluate, settings.seed) for split, each in splits.items()}
    name = read_json(TABLES / "provenance.json")["name"]
    page = answers_report(name, protocols.as_of, other, splits, against)
    with replacing_folder(ANSWERS) as folder:
        write_json(folder / "metrics.json", metrics)
        _by_split({split: each.curve for split, each in splits.items()}).write_csv(
            folder / "risk_coverage.csv"
        )
        _by_split({split: each.scores for split, each in splits.items()}).write_parquet(
            folder / "per_query.parquet"
        )
        write_text(folder / "report.md", page)
        write_text(folder / "report.html", html_page(page))
    seconds = [second for each in splits.values() for second in each.seconds]
    timing = {"answering_ms_p50": round(1000 * float(np.median(seconds)), 1)} if seconds else {}
    return Outcome({name: _short(figures) for name, figures in metrics.items()}, timing)


def _splits(protocols: Protocols, settings: Settings) -> Iterator[tuple[str, MeasuredSplit]]:
    """Yield each split that has judged questions, measured."""
    judged = JUDGEMENTS.read(TABLES / "judgements.parquet")
    queries = QUERIES.read(TABLES / "queries.parquet")
    models = by_models(settings.answer.measured, settings.device)
    for split in MEASURED:
        questions = judged_questions(queries.filter(pl.col("split") == split), judged)
        if questions:
            of_hybrid = kept_of_hybrid(read_run(MEASURED_RUNS / f"{split}.{HYBRID}.trec"))
            yield split, measure_split(protocols, questions, of_hybrid, models, settings.threads)


def _by_split(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """Stack tables, with their names in a first column `split`."""
    return stacked([each.insert_column(0, pl.lit(split).alias("split")) for split, each in tables.items()])


def _short(figures: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of one split, with only the protocol `served`."""
    served = figures.get("protocols", {}).get("served", {})
    shown = {
        name: round(served[name], 4) for name in ("answered", "precision", "recall", "f1", "tca") if served
    }
    return {**{name: value for name, value in figures.items() if name != "protocols"}, **shown}


def _last_day(passages: pl.DataFrame) -> date:
    """Return the day on which the last passage takes effect, so that answers do not depend on today."""
    last = passages["effective_from"].max()
    return last if isinstance(last, date) else date.max


def _declined(ranker: Ranker, as_of: date) -> dict[str, float]:
    """Return the share of the questions from other fields that are declined."""
    questions = read_yaml(OTHER)
    declined = [not ranker.answer(question, as_of=as_of).claims for question in questions]
    return {"questions": len(declined), "declined": round(float(np.mean(declined)), 4)}


if __name__ == "__main__":
    main.run()
