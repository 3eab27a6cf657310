from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from rulerank.graph.closure import Closure as Walk
from rulerank.retrieve.expand import expand
from rulerank.settings import Expansion

OUT = -np.inf


def walk(size, pairs):
    matrix = np.zeros((size, size), np.float32)
    for source, target in pairs:
        matrix[source, target] = 1
    return Walk(csr_array(matrix))


# 0 -> 1 -> 2 -> 3, and 4 -> 3.
LINE = walk(5, [(0, 1), (1, 2), (2, 3), (4, 3)])
EVERY = np.ones(5, bool)


def run(scores, eligible=EVERY, limit=5, **settings):
    expansion = Expansion(**{"seeds": 10, "depth": 3, "decay": 0.5, "found": limit, **settings})
    return expand(np.array(scores, np.float32), eligible, LINE, expansion).tolist()


def test_passages_reached_score_the_best_decayed_seed() -> None:
    assert run([[0.8, OUT, OUT, OUT, 0.5]]) == [[OUT, pytest.approx(0.4), pytest.approx(0.2), 0.25, OUT]]


def test_candidates_are_not_found_again() -> None:
    assert run([[1, 0.1, OUT, OUT, OUT]]) == [[OUT, OUT, 0.25, 0.125, OUT]]


def test_walk_leads_through_passages_that_may_not_be_candidates() -> None:
    eligible = np.array([True, False, True, True, True])
    assert run([[1, OUT, OUT, OUT, OUT]], eligible) == [[OUT, OUT, 0.25, 0.125, OUT]]


def test_only_the_best_candidates_are_seeds() -> None:
    assert run([[0.1, OUT, OUT, OUT, 1]], seeds=1) == [[OUT, OUT, OUT, 0.5, OUT]]


def test_limit_keeps_the_best_of_each_question() -> None:
    scores = [[1, OUT, OUT, OUT, OUT], [OUT, OUT, OUT, OUT, 1], [OUT] * 5]
    assert run(scores, limit=1) == [[OUT, 0.5, OUT, OUT, OUT], [OUT, OUT, OUT, 0.5, OUT], [OUT] * 5]


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20),
    st.lists(st.one_of(st.just(OUT), st.floats(0, 1, width=16)), min_size=8, max_size=8),
    st.integers(1, 4),
)
def test_expansion_equals_networkx(pairs, scores, hops) -> None:
    graph = nx.DiGraph(pairs)
    graph.add_nodes_from(range(8))
    settings = Expansion(seeds=3, depth=hops, decay=0.5, found=8)
    found = expand(np.array([scores], np.float32), np.ones(8, bool), walk(8, pairs), settings)[0]
    seeds = sorted((row for row in range(8) if scores[row] > OUT), key=lambda row: (-scores[row], row))[:3]
    lengths = {seed: nx.single_source_shortest_path_length(graph, seed, cutoff=hops) for seed in seeds}
    for row in range(8):
        ways = [scores[seed] * 0.5 ** lengths[seed][row] for seed in seeds if row in lengths[seed]]
        assert found[row] == (max(ways) if ways and scores[row] == OUT else OUT)
