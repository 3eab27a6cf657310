from collections.abc import Callable

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.graph.adjacency import parents
from rulerank.graph.perturb import perturb
from rulerank.tables import EDGES

PASSAGES = [f"p{number}" for number in range(12)]
IDS = pl.Series("passage_id", PASSAGES)
# p0 is the root of p1..p3, p1 of p4..p7, p4 of p8; rules cite in a circle.
TREE = "p0>p1 p0>p2 p0>p3 p1>p4 p1>p5 p1>p6 p1>p7 p4>p8"
CITED = " ".join(f"p{number}>p{(number + 1) % 12}" for number in range(12))
LINKS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=25, unique=True)


@pytest.fixture
def edges(edges_of: Callable[..., pl.DataFrame]) -> pl.DataFrame:
    return edges_of(
        PARENT_OF=TREE, REFERENCES=CITED, CONTAINS="document:A>p0 document:A>p1", USES_TERM="p0>term:fee"
    )


def _between(edges: pl.DataFrame) -> pl.DataFrame:
    return edges.filter(pl.col("source_id").is_in(PASSAGES) & pl.col("target_id").is_in(PASSAGES))


def test_share_of_the_edges_between_passages_is_dropped(edges) -> None:
    left = perturb(edges, IDS, "dropped", 0.2, seed=7)
    assert (_between(edges).height, _between(left).height) == (20, 16)
    assert left.join(edges, on=list(EDGES.columns), how="anti").height == 0


def test_edges_to_documents_and_terms_stay(edges) -> None:
    for change in ("dropped", "rewired"):
        left = perturb(edges, IDS, change, 1.0, seed=7)
        assert left.filter(pl.col("type").is_in(["CONTAINS", "USES_TERM"])).height == 3


def test_nothing_changes_at_share_nought(edges) -> None:
    assert perturb(edges, IDS, "dropped", 0.0, seed=7).equals(edges)
    assert perturb(edges, IDS, "rewired", 0.0, seed=7).equals(edges)


def test_rewired_citation_keeps_its_source_and_a_rewired_child_its_place(edges) -> None:
    changed = perturb(edges, IDS, "rewired", 1.0, seed=7)
    cited = changed.filter(pl.col("type") == "REFERENCES")
    assert sorted(cited["source_id"]) == sorted(PASSAGES)
    assert (cited["source_id"] != cited["target_id"]).all()
    children = changed.filter(pl.col("type") == "PARENT_OF")["target_id"]
    assert sorted(children) == [f"p{number}" for number in range(1, 9)]
    assert cited["target_id"].to_list() != edges.filter(pl.col("type") == "REFERENCES")["target_id"].to_list()


def test_passages_that_void_each_other_once_rewired_are_references(edges_of) -> None:
    edges = edges_of(SUPERSEDES="p0>p1 p1>p2 p2>p3")
    # This seed leads the second edge back to where the first comes from.
    assert perturb(edges, IDS[:4], "rewired", 1.0, seed=0).rows() == [
        ("p0", "p1", "REFERENCES", ""),
        ("p1", "p0", "REFERENCES", ""),
        ("p2", "p0", "SUPERSEDES", ""),
    ]


def test_both_changes_draw_the_same_edges(edges) -> None:
    left = perturb(edges, IDS, "dropped", 0.3, seed=3)
    changed = perturb(edges, IDS, "rewired", 0.3, seed=3)
    assert left.join(changed, on=list(EDGES.columns), how="anti").height == 0


def test_seed_decides(edges) -> None:
    assert perturb(edges, IDS, "rewired", 0.3, seed=3).equals(perturb(edges, IDS, "rewired", 0.3, seed=3))
    assert not perturb(edges, IDS, "rewired", 0.3, seed=3).equals(perturb(edges, IDS, "rewired", 0.3, seed=4))


@given(
    LINKS,
    st.lists(st.integers(0, 10), min_size=11, max_size=11),
    st.floats(0, 1),
    st.sampled_from(["dropped", "rewired"]),
    st.integers(0, 5),
)
def test_a_tree_stays_a_tree(links, above, share, change, seed) -> None:
    # Passage n + 1 has its parent among 0..n, so there is no circle to begin with.
    tree = [
        (f"p{min(parent, child)}", f"p{child + 1}", "PARENT_OF", "") for child, parent in enumerate(above)
    ]
    cites = [(f"p{source}", f"p{target}", "REFERENCES", "") for source, target in links]
    edges = pl.DataFrame(tree + cites, schema=dict(EDGES.columns), orient="row")
    changed = perturb(edges, IDS, change, share, seed)
    assert changed.height <= edges.height
    ancestors = parents(changed, IDS).astype(np.int64)
    assert changed.filter(pl.col("type") == "PARENT_OF").height == (ancestors >= 0).sum()
    for _ in range(len(PASSAGES)):
        ancestors = np.where(ancestors >= 0, parents(changed, IDS)[ancestors], -1)
    assert (ancestors == -1).all()
