from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.refwalk.oracle import Noise, ideal_run
from rulerank.tables import EDGES, JUDGEMENTS, RUNS

PASSAGES = pl.DataFrame({"passage_id": [f"p{row}" for row in range(20)], "text": ["words"] * 19 + [" "]})
EDGE_ROWS = [("p0", "p3", "REFERENCES", ""), ("p4", "p0", "PARENT_OF", ""), ("p0", "p19", "REFERENCES", "")]


def test_noise_is_what_is_near_first_and_ten_in_all() -> None:
    edges = pl.DataFrame(EDGE_ROWS, schema=dict(EDGES.columns), orient="row")
    noise = Noise.build(edges, PASSAGES, seed=7)
    given = noise.around("q", np.array([0])).tolist()
    assert len(set(given)) == len(given) == 10
    assert {0, 3, 4} <= set(given)
    assert 19 not in given
    assert noise.around("q", np.array([0])).tolist() == given
    assert noise.around("another", np.array([0])).tolist() != given


def test_no_relevant_passage_is_left_out() -> None:
    noise = Noise.build(EDGES.empty(), PASSAGES, seed=7)
    assert noise.around("q", np.arange(12)).tolist() == list(range(12))


def test_ideal_run_has_the_most_relevant_first_and_keeps_the_order_of_the_rest() -> None:
    run = [("run", query, each, rank, 0.0) for query in "qr" for rank, each in enumerate("abcd", start=1)]
    judged = [("q", "d", 2), ("q", "c", 1), ("q", "elsewhere", 2)]
    ideal = ideal_run(
        "ideal",
        pl.DataFrame(run, schema=dict(RUNS.columns), orient="row"),
        pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row"),
    )
    assert ideal.select("query_id", "passage_id", "rank").rows() == [
        *zip("qqqq", "dcab", range(1, 5), strict=True),
        *zip("rrrr", "abcd", range(1, 5), strict=True),
    ]
    assert ideal["run"].unique().to_list() == ["ideal"]
