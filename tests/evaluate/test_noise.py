from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.evaluate.noise import Noise
from rulerank.tables import EDGES

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
