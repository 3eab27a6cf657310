"""Two triangles of citations with one citation between them, and a passage without citations."""

from __future__ import annotations

import polars as pl
import pytest

from rulerank.graph.communities import communities, within
from rulerank.tables import EDGES

IDS = pl.Series(["a", "b", "c", "x", "y", "z", "alone"])
PAIRS = ["ab", "bc", "ca", "xy", "yz", "zx", "ax"]


@pytest.fixture(scope="module")
def edges() -> pl.DataFrame:
    rows = [(pair[0], pair[1], "REFERENCES", "") for pair in PAIRS]
    return pl.DataFrame([*rows, ("alone", "a", "USES_TERM", "")], schema=dict(EDGES.columns), orient="row")


def test_passages_that_cite_one_another_are_a_community(edges: pl.DataFrame) -> None:
    found = communities(edges, IDS)
    assert found.labels.tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert found.sizes.tolist() == [3, 3, 1]
    # Six of seven edges lie within; each triangle has half of all ends.
    assert found.modularity == pytest.approx(6 / 7 - 2 * (7 / 14) ** 2)


def test_edges_within_leave_out_what_leads_from_one_community_to_another(edges: pl.DataFrame) -> None:
    kept = within(edges, IDS, communities(edges, IDS))
    assert kept.select(pl.concat_str("source_id", "target_id")).to_series().to_list() == PAIRS[:6]


def test_without_edges_every_passage_is_a_community() -> None:
    found = communities(EDGES.empty(), IDS[:3])
    assert (found.sizes.tolist(), found.modularity) == ([1, 1, 1], 0.0)
