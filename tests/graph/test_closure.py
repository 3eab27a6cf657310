from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.graph.closure import Closure
from rulerank.ragged import collected


def graph(size, pairs):
    sources, targets = np.array(list(pairs), np.int64).reshape(-1, 2).T
    return collected(sources, targets, size)


def rows(found):
    """Return what was reached as {passage: (hops, seeds, score)}, and check that it is in order."""
    assert (np.diff(found.passages) > 0).all() or len(set(found.queries)) > 1
    values = zip(found.hops.tolist(), found.seeds.tolist(), found.score.tolist(), strict=True)
    return dict(zip(found.passages.tolist(), values, strict=True))


# 0 -> 1 -> 2 -> 3 -> 0 is a cycle; 4 -> 2 is a short cut, 5 -> 4 leads to it, 6 is alone.
DRAWN = Closure(graph(7, [(0, 1), (1, 2), (2, 3), (3, 0), (4, 2), (5, 4)]))


def test_closure_on_the_drawn_graph() -> None:
    # Seeds 0 (0.8) and 4 (1.0): 2 is two hops from 0 and one from 4; 3 is three hops from 0 and two from 4.
    found = DRAWN.from_seeds(np.array([0, 4]), np.array([0.8, 1.0]), depth=3, decay=0.5)
    assert rows(found) == {
        0: (0, 2, pytest.approx(0.8)),
        1: (1, 1, pytest.approx(0.4)),
        2: (1, 2, 0.5),
        3: (2, 2, 0.25),
        4: (0, 1, 1),
    }


def test_depth_bounds_the_walk() -> None:
    for depth, reached in [(0, [5]), (1, [4, 5]), (2, [2, 4, 5]), (9, [0, 1, 2, 3, 4, 5])]:
        found = DRAWN.from_seeds(np.array([5]), np.ones(1), depth, 0.7)
        assert found.passages.tolist() == reached


def test_no_path_leads_over_what_is_absent() -> None:
    # For question 1 of two, 2 is absent: neither it nor 3 behind it is reached.
    found = DRAWN.from_pairs(np.array([0, 1]), np.array([4, 4]), np.ones(2), 9, 0.5, absent=np.array([7 + 2]))
    assert found.passages[found.queries == 0].tolist() == [0, 1, 2, 3, 4]
    assert found.passages[found.queries == 1].tolist() == [4]


def test_score_is_the_maximum_never_the_sum() -> None:
    found = Closure(graph(3, [(0, 2), (1, 2)])).from_seeds(np.array([0, 1]), np.array([0.6, 0.5]), 1, 0.5)
    assert rows(found)[2] == (1, 2, pytest.approx(0.3))


def test_far_seed_of_a_high_score_beats_the_near_one() -> None:
    line = Closure(graph(4, [(0, 1), (1, 2), (3, 2)]))
    found = line.from_seeds(np.array([0, 3]), np.array([1, 0.25]), 2, 0.75)
    assert rows(found)[2] == (1, 2, 0.5625)


def test_self_loop_leads_nowhere() -> None:
    found = Closure(graph(2, [(0, 0), (0, 1)])).from_seeds(np.array([0]), np.ones(1), 5, 1.0)
    assert rows(found) == {0: (0, 1, 1), 1: (1, 1, 1)}


def test_place_without_a_seed_reaches_nothing() -> None:
    found = DRAWN.from_seeds(np.array([6, 0]), np.array([0.0, -np.inf]), 3, 0.7)
    assert rows(found) == {6: (0, 1, 0)}


@pytest.mark.parametrize("scores", [[], [-np.inf, -np.inf]])
def test_no_seeds(scores) -> None:
    queries = np.arange(len(scores))
    found = DRAWN.from_pairs(queries, queries, np.array(scores, np.float32), 3, 0.7)
    assert [len(values) for values in vars(found).values()] == [0] * 5


def test_questions_may_have_seeds_of_different_numbers_and_none() -> None:
    queries, seeds = np.array([1, 1, 3]), np.array([0, 4, 5])
    found = DRAWN.from_pairs(queries, seeds, np.array([0.8, 1, 0.5]), 1, 0.5)
    assert list(zip(found.queries.tolist(), found.passages.tolist(), strict=True)) == [
        (1, 0),
        (1, 1),
        (1, 2),
        (1, 4),
        (3, 4),
        (3, 5),
    ]
    assert found.score.tolist() == pytest.approx([0.8, 0.4, 0.5, 1, 0.25, 0.5])


def test_some_of_what_was_reached() -> None:
    found = DRAWN.from_seeds(np.array([0, 4]), np.array([0.8, 1.0]), depth=3, decay=0.5)
    kept = found.where(found.hops == 1)
    assert rows(kept) == {1: (1, 1, pytest.approx(0.4)), 2: (1, 2, 0.5)}
    assert len(kept.queries) == 2


def test_more_seeds_than_bits_of_a_word() -> None:
    star = Closure(graph(151, [(seed, 150) for seed in range(150)]))
    scores = np.linspace(0.1, 1, 150).astype(np.float32)
    found = star.from_seeds(np.arange(150), scores, 1, 0.5)
    assert rows(found)[150] == (1, 150, 0.5)
    np.testing.assert_array_equal(found.score[:150], scores)


@st.composite
def asked(draw):
    """Return a graph, the seeds and scores of some questions, depth and decay."""
    size = draw(st.integers(1, 12))
    node = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=30))
    count = draw(st.integers(1, size))
    seeds = draw(st.lists(st.permutations(range(size)), min_size=1, max_size=4))
    score = st.one_of(st.just(-np.inf), st.floats(0, 1, width=16))
    scores = draw(st.lists(st.lists(score, min_size=count, max_size=count), min_size=len(seeds), max_size=4))
    seeds = np.array(seeds)[: len(scores), :count]
    depth, decay = draw(st.integers(0, 5)), draw(st.sampled_from([0.5, 0.75, 1.0]))
    return size, pairs, seeds, np.array(scores, np.float32)[: len(seeds)], depth, decay


def from_questions(closure, seeds, scores, depth, decay):
    """Walk from each question's seeds, given as rows of equal length."""
    queries = np.repeat(np.arange(len(seeds)), seeds.shape[1])
    return closure.from_pairs(queries, seeds.ravel(), scores.ravel(), depth, decay)


def by_networkx(size, pairs, seeds, scores, depth, decay):
    """Return {passage: (hops, seeds, score)} by one breadth-first search per seed."""
    directed = nx.DiGraph(pairs)
    directed.add_nodes_from(range(size))
    ways = {}
    for seed, score in zip(seeds.tolist(), scores.tolist(), strict=True):
        if score > -np.inf:
            lengths = nx.single_source_shortest_path_length(directed, seed, cutoff=depth)
            for passage, hops in lengths.items():
                ways.setdefault(passage, []).append((hops, score * decay**hops))
    return {
        passage: (min(hops for hops, _ in found), len(found), max(score for _, score in found))
        for passage, found in ways.items()
    }


@given(asked())
def test_closure_equals_networkx(given_) -> None:
    size, pairs, seeds, scores, depth, decay = given_
    found = from_questions(Closure(graph(size, pairs)), seeds, scores, depth, decay)
    for query in range(len(seeds)):
        mine = found.queries == query
        expected = by_networkx(size, pairs, seeds[query], scores[query], depth, decay)
        assert found.passages[mine].tolist() == sorted(expected)
        for place, name in enumerate(("hops", "seeds", "score")):
            values = [expected[passage][place] for passage in sorted(expected)]
            np.testing.assert_allclose(getattr(found, name)[mine], values, rtol=1e-6)


@given(asked())
def test_batch_equals_its_questions_one_by_one(given_) -> None:
    size, pairs, seeds, scores, depth, decay = given_
    closure = Closure(graph(size, pairs))
    batch = from_questions(closure, seeds, scores, depth, decay)
    single = [closure.from_seeds(*question, depth, decay) for question in zip(seeds, scores, strict=True)]
    for name in ("passages", "hops", "seeds", "score"):
        parts = [getattr(each, name) for each in single]
        np.testing.assert_array_equal(getattr(batch, name), np.concatenate(parts))
    assert batch.queries.tolist() == [row for row, each in enumerate(single) for _ in each.passages]


def test_threads_share_a_closure() -> None:
    generator = np.random.default_rng(1)
    pairs = generator.integers(0, 300, (900, 2))
    closure = Closure(graph(300, pairs))
    seeds = [generator.choice(300, 10, replace=False) for _ in range(40)]

    def reached(each):
        return closure.from_seeds(each, np.ones(10), 3, 0.7).passages.tolist()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(reached, seeds)) == list(map(reached, seeds))
