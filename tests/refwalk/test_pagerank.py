"""Four passages: 0 cites 1; 1 and 2 use the term "tow line", which 3 defines."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.refwalk.pagerank import PASSAGE_WEIGHT, TermGraph
from rulerank.tables import EDGES

EDGE_ROWS = [
    ("p0", "p1", "REFERENCES", ""),
    ("p1", "term:tow line", "USES_TERM", ""),
    ("p2", "term:tow line", "USES_TERM", ""),
    ("p3", "term:tow line", "DEFINES", ""),
    ("p0", "p3", "PARENT_OF", ""),
]


@pytest.fixture(scope="module")
def graph() -> TermGraph:
    edges = pl.DataFrame(EDGE_ROWS, schema=dict(EDGES.columns), orient="row")
    return TermGraph.build(edges, pl.Series(["p0", "p1", "p2", "p3"]))


def test_terms_of_a_question_are_found_whatever_their_case(graph: TermGraph) -> None:
    assert graph.terms_of("Must a Tow  Line be kept?") == [4]
    assert graph.terms_of("Must a tow be lined?") == []


def test_shares_solve_the_equation_of_pagerank(graph: TermGraph) -> None:
    moves = np.zeros((5, 5))
    moves[1, 0] = 1
    moves[0, 1] = moves[4, 1] = 1 / 2
    moves[4, 2] = moves[4, 3] = 1
    moves[[1, 2, 3], 4] = 1 / 3
    # Cosines from .2 to .6 become 0 to 1; a term starts walks by its rarity.
    start = np.array([PASSAGE_WEIGHT, PASSAGE_WEIGHT / 2, 0, 0, 1 / 3])
    start /= start.sum()
    expected = np.linalg.solve(np.eye(5) - 0.5 * moves, 0.5 * start)
    found = graph.rank("Where is the tow line?", np.array([0, 1, 2]), np.array([0.6, 0.4, 0.2], np.float32))
    assert found == pytest.approx(expected[:3], abs=1e-6)


def test_what_nothing_leads_to_has_no_share(graph: TermGraph) -> None:
    found = graph.rank("Who?", np.array([0, 3]), np.array([0.9, 0.1], np.float32))
    assert found[0] > 0.5
    # The walk does not use the hierarchy: 3 is reached only through the term.
    assert 0 < found[1] < 0.05
