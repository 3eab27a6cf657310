from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import IntArray
from rulerank.graph.closure import Closure
from rulerank.ragged import collected
from rulerank.retrieve.bm25 import Bm25, ContextBm25
from rulerank.retrieve.citing import Citing
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Generator
from rulerank.retrieve.hits import Hits
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.search import HYBRID, RRF, Retrieved, hybrid, retrieve, tabulate
from rulerank.settings import Bm25 as Bm25Settings
from rulerank.settings import Candidates, Expansion
from rulerank.tables import RUNS
from rulerank.text import analyse

TEXTS = ["", "pilots hold licences", "tugs pay fees", "licences lapse", "ropes fray", "pilots board tugs"]
HEADINGS = ["Pilots", "Pilots", "Fees", "Licences", "Ropes", "Pilots"]
QUESTIONS = ["Do pilots hold licences?", "What of fees?", "zebra"]
EMBEDDINGS = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
IDS = ["q1", "q2", "q3"]
QUERIES = prepare_queries(IDS, QUESTIONS, EMBEDDINGS)
RUNS_OF_THREE = ("bm25", "bm25_context", "dense")
PASSAGE_IDS = pl.Series([f"p{row}" for row in range(len(TEXTS))])


def _generators(texts: Sequence[str], titles: Sequence[str]) -> list[Generator]:
    angles = np.linspace(0, np.pi / 2, len(texts))
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    has_text = np.array([bool(text) for text in texts])
    contexts = [f"{title}\n{text}" for title, text in zip(titles, texts, strict=True)]
    embedded = EmbeddedPassages(vectors, Adapter(*np.zeros((2, 2, 2), np.float32)), None)
    return [
        Bm25.of_terms(analyse(texts), has_text, Bm25Settings()),
        ContextBm25.of_terms(analyse(contexts), has_text, Bm25Settings()),
        Dense.of(embedded, has_text),
    ]


GENERATORS = _generators(TEXTS, HEADINGS)


def _retrieved(depth: int = 150, queries: Queries = QUERIES) -> Retrieved:
    return retrieve(GENERATORS, queries, Candidates(runs=RUNS_OF_THREE, depth=depth))


def _pairs(hits: Hits) -> list[tuple[int, int]]:
    return list(zip(hits.rows.tolist(), hits.columns.tolist(), strict=True))


def _hybrid(retrieved: Retrieved, queries: Queries, settings: Candidates) -> Hits:
    bm25, _, dense = GENERATORS
    scores = {
        each.name: each.score(queries, retrieved.rows, retrieved.columns, retrieved.found)
        for each in (bm25, dense)
    }
    return hybrid(retrieved, scores, settings.dense_weight, settings.depth, len(queries))


def test_closure_adds_what_the_candidates_lead_to_and_fuses_as_without_it() -> None:
    # 2 is cited by 1, and 4 by 2; the heading 0 is never a candidate.
    graph = Closure(collected(np.array([1, 1, 2]), np.array([0, 2, 4]), len(TEXTS)))
    walk = Expansion(seeds=1, depth=2, decay=0.5)
    citing = Citing(graph, np.array([bool(text) for text in TEXTS]), walk, rrf_k=60)
    query = QUERIES.slice(0, 1)
    without = retrieve(GENERATORS[:1], query, Candidates(runs=("bm25",), depth=1))
    retrieved = retrieve([GENERATORS[0], citing], query, Candidates(runs=("bm25", "closure"), depth=1))
    assert without.columns.tolist() == [1]
    assert retrieved.columns.tolist() == [1, 2]
    assert _pairs(retrieved.fused(5)) == _pairs(retrieved.found["bm25"])
    table = tabulate({"closure": retrieved.found["closure"]}, ["q1"], pl.Series(list("abcdef")))
    assert table["passage_id"].to_list() == ["c"]
    assert table["score"].to_list() == pytest.approx([0.5 / 61])


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 150])
def test_candidates_are_the_union_of_the_first_of_each_generator(depth: int) -> None:
    retrieved = _retrieved(depth)
    assert list(retrieved.found) == list(RUNS_OF_THREE)
    assert retrieved.width == len(TEXTS)
    for generator in GENERATORS:
        alone = generator.search(QUERIES, depth, {})
        assert _pairs(retrieved.found[generator.name]) == _pairs(alone)
    united = {pair for hits in retrieved.found.values() for pair in _pairs(hits)}
    assert list(zip(retrieved.rows.tolist(), retrieved.columns.tolist(), strict=True)) == sorted(united)


def test_depth_of_one_takes_the_best_of_each_generator() -> None:
    retrieved = _retrieved(1, QUERIES.slice(1, 2))
    best = {name: hits.columns.tolist() for name, hits in retrieved.found.items()}
    assert best == {"bm25": [2], "bm25_context": [2], "dense": [5]}
    assert retrieved.columns.tolist() == [2, 5]
    # Two generators name passage 2, one names passage 5.
    assert retrieved.rrf.tolist() == pytest.approx([2 / 61, 1 / 61])
    assert retrieved.fused(1).columns.tolist() == [2]


def test_rrf_sums_the_reciprocal_ranks_of_what_the_runs_found() -> None:
    retrieved = _retrieved()
    expected = np.zeros((len(QUERIES), len(TEXTS)))
    for hits in retrieved.found.values():
        expected[hits.rows, hits.columns] += 1 / (60 + hits.ranks)
    assert retrieved.rrf == pytest.approx(expected[retrieved.rows, retrieved.columns], abs=1e-7)
    fused = retrieved.fused(150)
    assert fused.scores == pytest.approx(expected[fused.rows, fused.columns], abs=1e-7)
    assert fused.rows.tolist() == retrieved.rows.tolist()


def test_passage_left_out_is_neither_found_nor_continued_from() -> None:
    # 2 is cited by 1, the best passage of the first question.
    graph = Closure(collected(np.array([1]), np.array([2]), len(TEXTS)))
    walk = Expansion(seeds=1, depth=1, decay=0.5)
    citing = Citing(graph, np.array([bool(text) for text in TEXTS]), walk, rrf_k=60)
    settings = Candidates(runs=("bm25", "closure"), depth=1)
    queries = QUERIES.take(np.array([0, 0, 0]))
    absent = np.array([1, 2]) * len(TEXTS) + np.array([1, 2])
    retrieved = retrieve([GENERATORS[0], citing], queries, settings, absent)
    # 3 takes the place of 1.
    assert _pairs(retrieved.found["bm25"]) == [(0, 1), (1, 3), (2, 1)]
    assert _pairs(retrieved.found["closure"]) == [(0, 2)]
    assert (retrieved.rows.tolist(), retrieved.columns.tolist()) == ([0, 0, 1, 2], [1, 2, 3, 1])


def test_enough_is_found_however_much_is_absent() -> None:
    # All but the worst hit of the first question are absent.
    (every,) = _retrieved_by(GENERATORS[2], Candidates(runs=("dense",), depth=6), np.empty(0, np.int64))
    absent = np.array(every[:-1])
    assert _retrieved_by(GENERATORS[2], Candidates(runs=("dense",), depth=1), absent) == [[every[-1]]]


def test_closure_does_not_lead_over_what_is_absent() -> None:
    # 1, the best passage, cites 2, which cites 4.
    graph = Closure(collected(np.array([1, 2]), np.array([2, 4]), len(TEXTS)))
    walk = Expansion(seeds=1, depth=2, decay=0.5)
    citing = Citing(graph, np.array([bool(text) for text in TEXTS]), walk, rrf_k=60)
    settings = Candidates(runs=("bm25", "closure"), depth=1)
    one = QUERIES.take(np.array([0]))
    assert _pairs(retrieve([GENERATORS[0], citing], one, settings, np.array([2])).found["closure"]) == []


def _retrieved_by(generator: Generator, settings: Candidates, absent: IntArray) -> list[list[int]]:
    found = retrieve([generator], QUERIES.take(np.array([0])), settings, absent)
    return [hits.columns.tolist() for hits in found.found.values()]


@pytest.mark.parametrize("depth", [1, 5, 6, 150])
def test_heading_without_text_is_never_a_candidate(depth: int) -> None:
    retrieved = _retrieved(depth)
    # It would be the best hit of bm25_context and of dense for q1.
    assert 0 not in retrieved.columns
    assert all(0 not in hits.columns for hits in retrieved.found.values())


def test_fewer_passages_than_the_depth_are_all_candidates() -> None:
    assert _retrieved().columns.reshape(3, 5).tolist() == [[1, 2, 3, 4, 5]] * 3


def test_corpus_of_one_passage_gives_it() -> None:
    generators = _generators(["pilots wait"], [""])
    retrieved = retrieve(generators, QUERIES, Candidates(runs=RUNS_OF_THREE))
    assert retrieved.columns.tolist() == [0, 0, 0]
    # Only the first question shares a word with it; the others reach it only by dense.
    assert retrieved.rrf == pytest.approx([3 / 61, 1 / 61, 1 / 61])


@pytest.mark.parametrize(
    ("generators", "queries"),
    [(_generators(["", ""], ["Pilots", "Fees"]), QUERIES), (GENERATORS, QUERIES.slice(0, 0))],
    ids=["headings alone", "no questions"],
)
def test_nothing_to_find_gives_no_candidate(generators: list[Generator], queries: Queries) -> None:
    settings = Candidates(runs=RUNS_OF_THREE)
    retrieved = retrieve(generators, queries, settings)
    assert not len(retrieved.rows)
    assert not len(retrieved.rrf)
    nothing = {"dense": np.empty(0, np.float32), "bm25": np.empty(0, np.float32)}
    runs = {
        **retrieved.found,
        RRF: retrieved.fused(5),
        HYBRID: hybrid(retrieved, nothing, settings.dense_weight, settings.depth, len(queries)),
    }
    table = RUNS.check(tabulate(runs, list(queries.ids), PASSAGE_IDS), "test")
    assert table.height == 0


@given(st.integers(1, 8), st.permutations(range(3)))
def test_order_of_the_questions_changes_no_candidate(depth: int, order: list[int]) -> None:
    retrieved, shuffled = _retrieved(depth), _retrieved(depth, QUERIES.take(np.array(order)))
    for place, query in enumerate(order):
        mine, others = retrieved.rows == query, shuffled.rows == place
        assert np.array_equal(retrieved.columns[mine], shuffled.columns[others])
        assert np.array_equal(retrieved.rrf[mine], shuffled.rrf[others])


def test_pairs_beside_the_candidates_are_found_by_no_run() -> None:
    retrieved = _retrieved(1, QUERIES.slice(0, 2))
    before = dict(zip(zip(retrieved.rows, retrieved.columns, strict=True), retrieved.rrf, strict=True))
    # (1, 2) is a candidate already; (0, 0) and (1, 4) are not.
    more = retrieved.with_pairs(np.array([1, 0, 1]), np.array([4, 0, 2]))
    after = dict(zip(zip(more.rows, more.columns, strict=True), more.rrf, strict=True))
    assert after == before | {(0, 0): 0, (1, 4): 0}
    assert list(after) == sorted(after)
    assert _pairs(more.fused(150)) == _pairs(retrieved.fused(150))
    assert more.found is retrieved.found


def test_hybrid_is_the_weighted_sum_of_the_scaled_scores_of_the_candidates() -> None:
    retrieved = Retrieved({}, np.array([0, 0, 0, 2]), np.array([1, 3, 4, 2]), len(TEXTS), 60)
    scores = {
        "dense": np.array([0.2, 0.6, 0.4, 0.1], np.float32),
        "bm25": np.array([10, 0, 5, 3], np.float32),
    }
    hits = hybrid(retrieved, scores, dense_weight=0.65, depth=2, questions=3)
    assert _pairs(hits) == [(0, 3), (0, 4), (2, 2)]
    # A question's only candidate has the greatest score in both.
    assert hits.scores.tolist() == pytest.approx([0.65, 0.5, 1])


@pytest.mark.parametrize(("weight", "name"), [(1.0, "dense"), (0.0, "bm25")])
def test_hybrid_of_one_share_ranks_by_that_score(weight: float, name: str) -> None:
    retrieved = _retrieved()
    hits = _hybrid(retrieved, QUERIES, Candidates(dense_weight=weight))
    generator = next(each for each in GENERATORS if each.name == name)
    scores = generator.score(QUERIES, hits.rows, hits.columns, {}).astype(float)
    assert len(hits.rows) == len(retrieved.rows)
    for row in range(len(QUERIES)):
        own = list(zip(-scores[hits.rows == row], hits.columns[hits.rows == row], strict=True))
        assert own == sorted(own)


@pytest.mark.parametrize("depth", [1, 2, 150])
def test_tabulate_gives_a_valid_table_of_every_run(depth: int) -> None:
    retrieved = _retrieved(depth)
    fused = {RRF: retrieved.fused(depth), HYBRID: _hybrid(retrieved, QUERIES, Candidates(depth=depth))}
    runs = RUNS.check(tabulate({**retrieved.found, **fused}, IDS, PASSAGE_IDS), "test")
    assert set(runs["run"]) == {*RUNS_OF_THREE, RRF, HYBRID}
    assert "p0" not in runs["passage_id"]
    for (name, _), block in runs.group_by("run", "query_id"):
        assert block["rank"].to_list() == list(range(1, block.height + 1))
        assert block.height <= depth
        assert name in ("bm25", "bm25_context") or block.height >= min(depth, 5)
        assert block["score"].is_sorted(descending=True)


def test_tabulate_names_question_passage_and_score() -> None:
    retrieved = _retrieved(1, QUERIES.slice(1, 2))
    fused = {RRF: retrieved.fused(1)}
    rows = tabulate({**retrieved.found, **fused}, ["q2"], PASSAGE_IDS).rows()
    assert [row[:4] for row in rows] == [
        ("bm25", "q2", "p2", 1),
        ("bm25_context", "q2", "p2", 1),
        ("dense", "q2", "p5", 1),
        ("rrf", "q2", "p2", 1),
    ]
    assert rows[2][4] == pytest.approx(1)
    assert rows[3][4] == pytest.approx(2 / 61)


def test_runs_before_one_are_those_that_it_went_on_from() -> None:
    retrieved = _retrieved()
    assert not retrieved.before("bm25")
    assert list(retrieved.before("dense")) == ["bm25", "bm25_context"]
    assert retrieved.before("dense")["bm25"] is retrieved.found["bm25"]
