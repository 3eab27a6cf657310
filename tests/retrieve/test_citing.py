from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.graph.closure import Closure
from rulerank.ragged import collected
from rulerank.retrieve.citing import Citing
from rulerank.retrieve.hits import Hits, joined
from rulerank.retrieve.queries import Queries
from rulerank.settings import Expansion

EVERY = np.ones(5, bool)
Question = Sequence[int]


def _walk(size: int, pairs: Sequence[tuple[int, int]]) -> Closure:
    sources, targets = np.array(pairs, np.int64).reshape(-1, 2).T
    return Closure(collected(sources, targets, size))


# 0 -> 1 -> 2 -> 3, and 4 -> 3.
LINE = _walk(5, [(0, 1), (1, 2), (2, 3), (4, 3)])


def _run(*questions: Question) -> Hits:
    """Return a run that found some passages for each question, best first."""
    parts = [
        (np.array(columns, np.int64), -np.arange(len(columns), dtype=np.float32)) for columns in questions
    ]
    return joined(parts)


def _asked(count: int) -> Queries:
    return Queries([f"q{row}" for row in range(count)], [[]] * count, np.zeros((count, 2), np.float32))


def _citing(has_text: np.ndarray = EVERY, graph: Closure = LINE, **settings: object) -> Citing:
    walk = Expansion(**{"seeds": 10, "depth": 3, "decay": 0.5, "found": 5, **settings})
    return Citing(graph, has_text, walk, rrf_k=60)


def _found(citing: Citing, *questions: Question, depth: int = 100) -> list[dict[int, float]]:
    """Return 61 times the score of each hit, by question; the first hit of a run is worth 1."""
    hits = citing.search(_asked(len(questions)), depth, {"bm25": _run(*questions)})
    return [
        {
            int(column): 61 * float(score)
            for column, score in zip(hits.columns[own], hits.scores[own], strict=True)
        }
        for own in (hits.rows == row for row in range(len(questions)))
    ]


def test_passages_score_the_best_decayed_seed() -> None:
    # 2 is two hops from the first candidate; 3 is one hop from the second.
    assert _found(_citing(), [0, 4]) == [
        {1: pytest.approx(0.5), 3: pytest.approx(0.5 * 61 / 62), 2: pytest.approx(0.25)}
    ]


def test_candidates_are_not_found_again() -> None:
    assert _found(_citing(), [0, 1]) == [{2: pytest.approx(0.5 * 61 / 62), 3: pytest.approx(0.25 * 61 / 62)}]


def test_walk_leads_through_passages_that_may_not_be_candidates() -> None:
    has_text = np.array([True, False, True, True, True])
    assert _found(_citing(has_text), [0]) == [{2: pytest.approx(0.25), 3: pytest.approx(0.125)}]


def test_only_the_best_candidates_are_seeds() -> None:
    assert _found(_citing(seeds=1), [4, 0]) == [{3: pytest.approx(0.5)}]


def test_seeds_are_the_best_of_the_fused_runs() -> None:
    # Two runs agree on 4; each has a different first hit.
    found = {"bm25": _run([0, 4]), "dense": _run([1, 4])}
    hits = _citing(seeds=1).search(_asked(1), 5, found)
    assert hits.columns.tolist() == [3]
    assert hits.scores.tolist() == pytest.approx([0.5 * 2 / 62])


def test_limit_keeps_the_best_of_each_question() -> None:
    expected = [{1: pytest.approx(0.5)}, {3: pytest.approx(0.5)}, {}]
    assert _found(_citing(found=1), [0], [4], []) == expected
    assert _found(_citing(), [0], [4], [], depth=1) == expected


def test_score_is_the_floor_where_no_candidate_leads() -> None:
    citing = _citing()
    scores = citing.score(_asked(1), np.zeros(5, np.int64), np.arange(5), {"bm25": _run([0])})
    assert scores.tolist() == pytest.approx([-np.inf, 0.5 / 61, 0.25 / 61, 0.125 / 61, -np.inf])


def test_loaded_index_gives_the_same(tmp_path: Path) -> None:
    citing = _citing(np.array([True, True, False, True, True]), seeds=7, edge_types=["SPECIFIES"])
    citing.save(tmp_path / "closure")
    loaded = Citing.load(tmp_path / "closure")
    assert loaded.settings == citing.settings
    assert loaded.rrf_k == 60
    assert _found(loaded, [0, 4], [1]) == _found(citing, [0, 4], [1])


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20),
    st.lists(
        st.permutations(range(8)).flatmap(lambda order: st.integers(0, 8).map(lambda n: order[:n])),
        max_size=3,
    ),
    st.integers(1, 4),
)
def test_hits_equal_those_of_networkx(
    pairs: list[tuple[int, int]], asked: list[list[int]], hops: int
) -> None:
    graph = nx.DiGraph(pairs)
    graph.add_nodes_from(range(8))
    citing = _citing(np.ones(8, bool), _walk(8, pairs), seeds=3, depth=hops, found=8)
    for candidates, hits in zip(asked, _found(citing, *asked), strict=True):
        ways: Mapping[int, list[float]] = {row: [] for row in range(8)}
        for rank, seed in enumerate(candidates[:3]):
            for row, length in nx.single_source_shortest_path_length(graph, seed, cutoff=hops).items():
                ways[row].append(61 / (61 + rank) * 0.5**length)
        expected = {row: max(each) for row, each in ways.items() if each and row not in candidates}
        assert hits == pytest.approx(expected)
