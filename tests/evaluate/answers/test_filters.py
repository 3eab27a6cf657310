from __future__ import annotations

import polars as pl

from rulerank.evaluate.answers.filters import kept_of_hybrid
from rulerank.tables import RUNS


def _run(query: str, scores: list[float]) -> pl.DataFrame:
    rows = [("hybrid", query, f"p{rank}", rank, score) for rank, score in enumerate(scores, start=1)]
    return pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row")


def test_hybrid_keeps_scores_of_72_up_to_a_drop_of_a_tenth() -> None:
    run = pl.concat([_run("low", [0.95, 0.9, 0.72, 0.71]), _run("weak", [0.6, 0.55])])
    assert kept_of_hybrid(run) == {"low": ["p1", "p2"], "weak": ["p1"]}


def test_hybrid_keeps_ten_passages_at_most() -> None:
    steady = [1 - place / 100 for place in range(15)]
    shuffled = _run("q", steady).reverse()
    assert kept_of_hybrid(shuffled) == {"q": [f"p{rank}" for rank in range(1, 11)]}
