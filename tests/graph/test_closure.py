import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from rulerank.graph.closure import reach, support

NAN = np.nan


def graph(size, pairs):
    matrix = np.zeros((size, size), dtype=np.float32)
    for source, target in pairs:
        matrix[source, target] = 1
    return csr_array(matrix)


def scores(*rows):
    return csr_array(np.array(rows, dtype=np.float32))


# 0 -> 1 -> 2 -> 3 -> 0 is a cycle; 4 -> 2 is a short cut, 5 -> 4 leads to it, 6 stands alone.
DRAWN = graph(7, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 2), (5, 4)])


def test_reach_on_the_drawn_graph() -> None:
    assert reach(DRAWN, 3).toarray().tolist() == [
        [0, 1, 2, 3, 0, 0, 0],
        [3, 0, 1, 2, 0, 0, 0],
        [2, 3, 0, 1, 0, 0, 0],
        [1, 2, 3, 0, 0, 0, 0],
        [3, 0, 1, 2, 0, 0, 0],
        [0, 0, 2, 3, 1, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]


def test_reach_of_one_hop_is_the_graph_without_self_loops() -> None:
    assert reach(graph(2, [(0, 0), (0, 1)]), 1).toarray().tolist() == [[0, 1], [0, 0]]


def test_reach_of_an_edgeless_graph_is_empty() -> None:
    assert reach(csr_array((4, 4), dtype=np.float32), 3).nnz == 0


def test_support_on_the_drawn_graph() -> None:
    # Seeds 0 (0.8) and 4 (1.0): 2 is two hops from 0 and one from 4, 3 is three hops and two.
    found = support(reach(DRAWN, 3), scores([0.8, 0, 0, 0, 1, 0, 0]), seeds=10, decay=0.5)
    np.testing.assert_array_equal(found.hops, [[0, 1, 1, 2, 0, NAN, NAN]])
    np.testing.assert_array_equal(found.seeds, [[2, 1, 2, 2, 1, 0, 0]])
    np.testing.assert_allclose(found.score, [[0.8, 0.4, 0.5, 0.25, 1, NAN, NAN]])


def test_support_keeps_the_maximum_never_the_sum() -> None:
    found = support(reach(graph(3, [(0, 2), (1, 2)]), 1), scores([0.6, 0.5, 0]), seeds=2, decay=0.5)
    np.testing.assert_allclose(found.score[0, 2], 0.3)


def test_support_takes_the_best_seeds_and_equal_scores_by_row() -> None:
    hops = reach(graph(6, [(0, 3), (1, 4), (2, 5)]), 1)
    found = support(hops, scores([0.5, 0.5, 0.9, 0, 0, 0]), seeds=2, decay=1.0)
    np.testing.assert_array_equal(found.seeds, [[1, 0, 1, 1, 0, 1]])


def test_support_of_queries_without_seeds_or_edges() -> None:
    empty = csr_array((3, 3), dtype=np.int8)
    found = support(empty, scores([0, 0, 0], [0, 0.4, 0]), seeds=3, decay=0.7)
    np.testing.assert_array_equal(found.hops, [[NAN] * 3, [NAN, 0, NAN]])
    np.testing.assert_allclose(found.score, [[NAN] * 3, [NAN, 0.4, NAN]], rtol=1e-6)


def test_support_of_no_queries() -> None:
    found = support(reach(DRAWN, 2), csr_array((0, 7), dtype=np.float32), seeds=3, decay=0.7)
    assert found.hops.shape == found.seeds.shape == found.score.shape == (0, 7)


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 9))
    node = st.integers(0, size - 1)
    return graph(size, draw(st.lists(st.tuples(node, node), max_size=20)))


@given(graphs(), st.integers(1, 5))
def test_reach_is_monotone_in_depth(adjacency, depth) -> None:
    less, more = reach(adjacency, depth).toarray(), reach(adjacency, depth + 1).toarray()
    assert (more[less > 0] == less[less > 0]).all()
    assert (more[(less == 0) & (more > 0)] == depth + 1).all()


@given(graphs())
def test_hops_satisfy_the_triangle_inequality(adjacency) -> None:
    hops = reach(adjacency, 10).toarray().astype(float)
    hops[hops == 0] = np.inf
    np.fill_diagonal(hops, 0)
    assert (hops <= (hops[:, :, None] + hops[None]).min(axis=1)).all()


@given(graphs(), st.data())
def test_support_equals_the_plain_loops(adjacency, data) -> None:
    size = adjacency.shape[0]
    value = st.one_of(st.just(0.0), st.floats(0.125, 1, width=16))
    rows = data.draw(st.lists(st.lists(value, min_size=size, max_size=size), min_size=1, max_size=4))
    seeds, decay = data.draw(st.integers(1, 4)), 0.5
    hops = reach(adjacency, 3)
    found = support(hops, scores(*rows), seeds, decay)
    for query, row in enumerate(rows):
        best = sorted((i for i in range(size) if row[i] > 0), key=lambda i: (-row[i], i))[:seeds]
        for node in range(size):
            ways = [
                (0 if s == node else int(hops[s, node]), row[s]) for s in best if s == node or hops[s, node]
            ]
            assert found.seeds[query, node] == len(ways)
            if ways:
                assert found.hops[query, node] == min(hop for hop, _ in ways)
                assert found.score[query, node] == pytest.approx(
                    max(s * decay**hop for hop, s in ways), rel=1e-3
                )
            else:
                assert np.isnan(found.hops[query, node])
                assert np.isnan(found.score[query, node])
