"""Many questions at once: answers per second, and features per second."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import polars as pl

from experiments.bench.ours import describe, feature_sets, load, pairs, prepare
from experiments.bench.rows import Row, rate_row, timed, value_row
from rulerank.bundle import RANKER
from rulerank.evaluate.measures import average, per_query
from rulerank.features.feature_set import FeatureSet
from rulerank.ranker import Ranker
from rulerank.retrieve.queries import Queries


def answers(
    bundle: Path, queries: pl.DataFrame, judgements: pl.DataFrame, workers: int, repeats: int
) -> list[Row]:
    """Time `Ranker.rank_many` and `Ranker.runs`, and measure what they rank."""
    ranker = load(bundle, workers)
    texts = queries["text"].to_list()
    ranker.rank_many(texts[:1])
    _, ranked = timed(ranker.rank_many, [texts] * repeats)
    answered, seconds = timed(ranker.runs, [queries] * repeats)
    runs, _ = answered[0]
    means = average(per_query(judgements, runs)).filter(pl.col("run") == RANKER)
    return [
        rate_row("Ranker.rank_many, all questions at once", "questions/s", workers, queries.height, ranked),
        rate_row("Ranker.runs, all questions at once", "questions/s", workers, queries.height, seconds),
        value_row("Recall@10 of the ranker", "", workers, means["Recall@10"].to_list()),
    ]


def extraction(bundle: Path, queries: pl.DataFrame, threads: int, workers: int, repeats: int) -> list[Row]:
    """Time the features of all questions from their vectors on, candidates included, by feature set."""
    ranker = load(bundle, threads)
    prepared = prepare(ranker, queries["text"].to_list())
    rows = []
    for name, features in feature_sets(ranker).items():
        _described(ranker, features, workers, prepared.slice(0, 1))
        described = partial(_described, ranker, features, workers)
        amounts, seconds = timed(described, [prepared] * repeats)
        measured = f"extraction, {name} ({len(features)} features), {workers} workers"
        measured = measured.replace("1 workers", "1 worker")
        rows.append(rate_row(measured, "pairs/s", threads, amounts[0], seconds))
    return rows


def _described(ranker: Ranker, features: FeatureSet, workers: int, queries: Queries) -> int:
    """Describe the candidates of questions and return how many there are; the matrices are kept till then."""
    return pairs(describe(ranker, queries, features, workers))
