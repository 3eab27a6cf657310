from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.arrays import FloatArray
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import from_ends
from rulerank.retrieve.bm25 import build_bm25
from rulerank.retrieve.dense import Adapter, DenseIndex
from rulerank.retrieve.queries import prepare_queries
from rulerank.retrieve.search import GENERATORS, HYBRID, LEXICAL, RUN_NAMES, SearchIndex, retrieve, tabulate
from rulerank.settings import Bm25, Candidates, Expansion
from rulerank.tables import RUNS
from rulerank.text import analyse

TEXTS = ["", "pilots hold licences", "tugs pay fees", "licences lapse", "ropes fray", "pilots board tugs"]
HEADINGS = ["Pilots", "Pilots", "Fees", "Licences", "Ropes", "Pilots"]
QUESTIONS = ["Do pilots hold licences?", "What of fees?", "zebra"]
ASKED = np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32)
IDS = ["q1", "q2", "q3"]
QUERIES = prepare_queries(IDS, QUESTIONS, ASKED)


def _index(texts: list[str], headings: list[str]) -> SearchIndex:
    angles = np.linspace(0, np.pi / 2, len(texts))
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    zeros = np.zeros((2, 2), np.float32)
    contexts = [f"{heading}\n{text}" for heading, text in zip(headings, texts, strict=True)]
    return SearchIndex(
        has_text=np.array([bool(text) for text in texts]),
        bm25=build_bm25(analyse(texts), Bm25()),
        bm25_context=build_bm25(analyse(contexts), Bm25()),
        dense=DenseIndex(vectors, Adapter(zeros, zeros)),
    )


INDEX = _index(TEXTS, HEADINGS)


def _first(scores: FloatArray, depth: int) -> set[int]:
    order = np.argsort(-scores, kind="stable").tolist()
    return set([column for column in order if TEXTS[column]][:depth])


def test_closure_adds_what_the_candidates_lead_to_and_fuses_as_without_it() -> None:
    # 2 is cited by 1, and 4 by 2; the heading 0 is never a candidate.
    walk = Closure(from_ends(np.array([1, 1, 2]), np.array([0, 2, 4]), len(TEXTS)))
    without = retrieve(INDEX, QUERIES.slice(0, 1), Candidates(runs=("bm25",), depth=1))
    settings = Candidates(runs=("bm25", "closure"), depth=1, closure=Expansion(seeds=1, depth=2, decay=0.5))
    found = retrieve(INDEX, QUERIES.slice(0, 1), settings, walk)
    assert without.columns.tolist() == [1]
    assert found.columns.tolist() == [1, 2, 4]
    np.testing.assert_array_equal(found.scores["rrf"], without.scores["rrf"])
    table = tabulate(found, ["q1"], pl.Series(list("abcdef"))).filter(pl.col("run") == "closure")
    assert table["passage_id"].to_list() == ["c", "e"]
    assert table["score"].to_list() == pytest.approx([0.5 / 61, 0.25 / 61])


def test_closure_without_a_graph_is_refused() -> None:
    with pytest.raises(ValueError, match="expected a graph for the run closure"):
        retrieve(INDEX, QUERIES, Candidates(runs=("bm25", "closure")))


@pytest.mark.parametrize("depth", [1, 2, 3, 5, 150])
def test_candidates_are_the_union_of_the_first_of_each_generator(depth: int) -> None:
    found = retrieve(INDEX, QUERIES, Candidates(runs=GENERATORS, depth=depth))
    for query in range(3):
        best = {name: set(found.best[name][query].tolist()) for name in GENERATORS}
        for name in LEXICAL:
            best[name] = {column for column in best[name] if found.scores[name][query, column] > 0}
        assert found.columns[found.rows == query].tolist() == sorted(set().union(*best.values()))
        assert best["dense"] == _first(found.scores["dense"][query], depth)
    assert np.array_equal(found.rows, np.sort(found.rows))


def test_depth_of_one_takes_the_best_of_each_generator() -> None:
    found = retrieve(INDEX, QUERIES.slice(1, 2), Candidates(runs=GENERATORS, depth=1))
    assert {name: found.best[name].tolist() for name in GENERATORS} == {
        "bm25": [[2]],
        "bm25_context": [[2]],
        "dense": [[5]],
    }
    assert found.columns.tolist() == [2, 5]
    # Two generators name passage 2, one names passage 5.
    assert found.scores["rrf"][0, [2, 5]] == pytest.approx([2 / 61, 1 / 61])
    assert found.best["rrf"].tolist() == [[2]]


@pytest.mark.parametrize("depth", [1, 5, 6, 150])
def test_heading_without_text_is_never_a_candidate(depth: int) -> None:
    found = retrieve(INDEX, QUERIES, Candidates(runs=GENERATORS, depth=depth))
    # It is the best by bm25_context and by dense for q1.
    assert found.scores["dense"][0].argmax() == 0
    assert 0 not in found.columns
    assert all(0 not in best for best in found.best.values())
    assert not found.scores["rrf"][:, 0].any()


def test_fewer_passages_than_the_depth_are_all_candidates() -> None:
    found = retrieve(INDEX, QUERIES, Candidates(runs=GENERATORS, depth=150))
    assert found.columns.reshape(3, 5).tolist() == [[1, 2, 3, 4, 5]] * 3


def test_corpus_of_one_passage_gives_it() -> None:
    found = retrieve(_index(["pilots wait"], [""]), QUERIES, Candidates(runs=GENERATORS))
    assert found.columns.tolist() == [0, 0, 0]
    # Only the first question shares a word with it; the others reach it by dense alone.
    assert found.scores["rrf"] == pytest.approx(np.array([[3 / 61], [1 / 61], [1 / 61]]))


def test_corpus_of_headings_alone_gives_nothing() -> None:
    index = SearchIndex(np.zeros(6, bool), INDEX.bm25, INDEX.bm25_context, INDEX.dense)
    found = retrieve(index, QUERIES, Candidates(runs=GENERATORS))
    assert not len(found.columns)
    assert tabulate(found, IDS, pl.Series(TEXTS)).height == 0


def test_no_questions_give_no_candidates() -> None:
    assert not len(retrieve(INDEX, QUERIES.slice(0, 0), Candidates(runs=GENERATORS)).rows)


@given(st.integers(1, 8), st.permutations(range(3)))
def test_order_of_the_questions_changes_no_candidate(depth: int, order: list[int]) -> None:
    shuffled = prepare_queries([IDS[i] for i in order], [QUESTIONS[i] for i in order], ASKED[order])
    settings = Candidates(runs=GENERATORS, depth=depth)
    found, other = (retrieve(INDEX, batch, settings) for batch in (QUERIES, shuffled))
    for place, query in enumerate(order):
        assert np.array_equal(found.columns[found.rows == query], other.columns[other.rows == place])


@pytest.mark.parametrize("depth", [1, 2, 150])
def test_tabulate_gives_a_valid_table_of_every_run(depth: int) -> None:
    found = retrieve(INDEX, QUERIES, Candidates(runs=GENERATORS, depth=depth))
    ids = pl.Series([f"p{row}" for row in range(6)])
    runs = RUNS.check(tabulate(found, IDS, ids), "test")
    assert runs["run"].unique().sort().to_list() == sorted([*RUN_NAMES, HYBRID])
    assert "p0" not in runs["passage_id"]
    for (name, _), block in runs.group_by("run", "query_id"):
        assert block["rank"].to_list() == list(range(1, block.height + 1))
        assert block.height == min(depth, 5) or (name in LEXICAL and block["score"].min() > 0)
        assert block["score"].is_sorted(descending=True)


def test_tabulate_names_question_passage_and_score() -> None:
    found = retrieve(INDEX, QUERIES.slice(1, 2), Candidates(runs=GENERATORS, depth=1))
    rows = tabulate(found, ["q2"], pl.Series([f"p{row}" for row in range(6)])).rows()
    assert [row[:4] for row in rows] == [
        ("bm25", "q2", "p2", 1),
        ("bm25_context", "q2", "p2", 1),
        ("dense", "q2", "p5", 1),
        ("rrf", "q2", "p2", 1),
        ("hybrid", "q2", "p5", 1),
    ]
    assert rows[2][4] == pytest.approx(1)
