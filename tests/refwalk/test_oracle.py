from __future__ import annotations

import polars as pl

from rulerank.refwalk.oracle import ideal_run
from rulerank.tables import JUDGEMENTS, RUNS


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
