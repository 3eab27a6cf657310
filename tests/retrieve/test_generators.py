"""What every candidate generator promises: the package's own, and one plugged in by its dotted name."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rulerank.arrays import FloatArray, IntArray, normalise_rows
from rulerank.errors import SettingsError
from rulerank.retrieve.bm25 import Bm25
from rulerank.retrieve.dense import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import BUILT_IN, Generator, Material, generator_class
from rulerank.retrieve.hits import Found, Hits
from rulerank.retrieve.late import LateMaps, Matched
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Candidates, Expansion
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

PLUGGED_IN = "tests.retrieve.tf_idf:TfIdf"
EACH = pytest.mark.parametrize("run", [*BUILT_IN, PLUGGED_IN])
WIDTH = 6
SETTINGS = Candidates(closure=Expansion(seeds=3, depth=2, decay=0.5, found=1000))

# The passages 1 and 5, and 6 and 7, are equal; 0 and 4 are headings without text.
TEXTS = [
    "",
    "Pilots hold licences.",
    "Tugs pay fees, and pilots pay none.",
    "Licences lapse.",
    " ",
    "Pilots hold licences.",
    "Ropes fray.",
    "Ropes fray.",
    "Tugs tow.",
]
PARENTS = [(0, row) for row in (1, 2, 3, 5)] + [(4, row) for row in (6, 7, 8)]
CITATIONS = [(2, 6), (2, 7), (3, 8), (8, 4), (6, 0)]
QUESTIONS = ["Do pilots hold licences?", "Which fees do tugs pay?", "zebra", "When do licences lapse?"]

WORDS = ["pilots", "fees", "tugs", "ropes", "lapse"]
PASSAGE = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
CORPORA = st.lists(PASSAGE, min_size=1, max_size=9)
CITED = st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=10)
ASKED = st.lists(st.lists(st.sampled_from([*WORDS, "zebra"]), max_size=3).map(" ".join), max_size=4)


def _vectors(text: str, count: int) -> FloatArray:
    """Return unit vectors of a text that tell it from every other text."""
    random = np.random.default_rng(zlib.crc32(text.encode()))
    return normalise_rows(random.normal(size=(count, WIDTH)).astype(np.float32))


def _embeddings(texts: Sequence[str]) -> FloatArray:
    return np.concatenate([np.empty((0, WIDTH), np.float32), *(_vectors(text, 1) for text in texts)])


def _tokens(texts: Sequence[str]) -> Tokens:
    sizes = [2 + len(text.split()) for text in texts]
    parts = [_vectors(f"token {text}", size) for text, size in zip(texts, sizes, strict=True)]
    vectors = np.concatenate([np.empty((0, WIDTH), np.float32), *parts])
    return Tokens(vectors.astype(np.float16), np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))


def _material(
    texts: Sequence[str], citations: Sequence[tuple[int, int]], parents: Sequence[tuple[int, int]]
) -> Material:
    ids = [f"p{row}" for row in range(len(texts))]
    passages = pl.DataFrame(
        [
            (ids[row], "rules", str(row), "", text, None, "text", row, None, None)
            for row, text in enumerate(texts)
        ],
        schema=dict(PASSAGES.columns),
        orient="row",
    )
    documents = pl.DataFrame([("rules", "Pilots", [])], schema=dict(DOCUMENTS.columns), orient="row")
    ends = [("REFERENCES", pair) for pair in set(citations)] + [("PARENT_OF", pair) for pair in parents]
    edges = pl.DataFrame(
        [(ids[source], ids[target], kind, "") for kind, (source, target) in ends],
        schema=dict(EDGES.columns),
        orient="row",
    )
    random = np.random.default_rng(1)
    query, passage, *maps = (0.3 * random.normal(size=(4, WIDTH, WIDTH))).astype(np.float32)
    return Material(
        passages,
        documents,
        edges,
        EmbeddedPassages(_embeddings(texts), Adapter(query, passage), None),
        Matched(_tokens(texts), LateMaps(*maps), np.eye(WIDTH, dtype=np.float32)),
    )


def _queries(texts: Sequence[str]) -> Queries:
    return prepare_queries(
        [f"q{row}" for row in range(len(texts))], texts, _embeddings(texts), _tokens(texts)
    )


def _found(material: Material, queries: Queries) -> Found:
    """Return what a run before the generator has found, for those that go on from there."""
    bm25 = Bm25.build(material, SETTINGS)
    return {"bm25": bm25.search(queries, len(bm25), {})}


def _pairs(questions: int, passages: int) -> tuple[IntArray, IntArray]:
    return np.repeat(np.arange(questions), passages), np.tile(np.arange(passages), questions)


def _by_question(hits: Hits, questions: int) -> list[tuple[list[int], list[float]]]:
    return [
        (hits.columns[hits.rows == row].tolist(), hits.scores[hits.rows == row].tolist())
        for row in range(questions)
    ]


def _same(hits: Hits, others: Hits) -> bool:
    pairs = zip(vars_of(hits), vars_of(others), strict=True)
    return all(np.array_equal(values, other) for values, other in pairs)


def vars_of(hits: Hits) -> tuple[np.ndarray, ...]:
    return hits.rows, hits.columns, hits.scores


MATERIAL = _material(TEXTS, CITATIONS, PARENTS)
QUERIES = _queries(QUESTIONS)
FOUND = _found(MATERIAL, QUERIES)


def _built(run: str, material: Material = MATERIAL) -> Generator:
    return generator_class(run).build(material, SETTINGS)


@EACH
def test_generator_indexes_every_passage_and_has_a_name_of_its_own(run: str) -> None:
    generator = _built(run)
    assert len(generator) == len(TEXTS)
    assert generator.name == (run if run in BUILT_IN else "tf_idf")


@EACH
def test_generator_finds_something(run: str) -> None:
    hits = _built(run).search(QUERIES, 100, FOUND)
    assert {0, 1, 3} <= set(hits.rows)


@EACH
@given(CORPORA, CITED, ASKED, st.integers(1, 12))
def test_search_gives_the_first_of_all_passages_by_score(
    run: str, texts: list[str], cited: list[tuple[int, int]], asked: list[str], depth: int
) -> None:
    size = len(texts)
    citations = [(source % size, target % size) for source, target in cited]
    material = _material(texts, citations, [(0, row) for row in range(1, size)])
    generator, queries = _built(run, material), _queries(asked)
    found = _found(material, queries)
    hits = generator.search(queries, depth, found)

    rows, columns = _pairs(len(asked), size)
    scores = generator.score(queries, rows, columns, found).astype(np.float64)
    assert scores.shape == (len(rows),)
    can_be_found = material.has_text[columns] & (scores > generator.floor)
    order = np.lexsort((columns, -scores, rows))
    order = order[can_be_found[order]]
    rank = np.arange(len(order)) - np.searchsorted(rows[order], rows[order])
    first = order[rank < depth]
    assert hits.rows.tolist() == rows[first].tolist()
    assert hits.columns.tolist() == columns[first].tolist()
    assert hits.scores == pytest.approx(scores[first], abs=1e-6)


@EACH
@pytest.mark.parametrize("depth", [1, 2, 5, 9, 10, 1000])
def test_hits_are_few_falling_with_text_and_above_the_floor(run: str, depth: int) -> None:
    generator = _built(run)
    hits = generator.search(QUERIES, depth, FOUND)
    assert (np.diff(hits.rows) >= 0).all()
    for columns, scores in _by_question(hits, len(QUERIES)):
        assert len(columns) == len(set(columns)) <= min(depth, len(TEXTS))
        assert all(TEXTS[column].strip() for column in columns)
        assert all(score > generator.floor for score in scores)
        # Scores fall; equal scores stand in the order of the passages.
        ranked = [(-score, column) for score, column in zip(scores, columns, strict=True)]
        assert ranked == sorted(ranked)


@EACH
def test_shallow_search_is_the_beginning_of_a_deep_one(run: str) -> None:
    generator = _built(run)
    deep = generator.search(QUERIES, 1000, FOUND)
    for depth in range(1, len(TEXTS) + 1):
        assert _same(generator.search(QUERIES, depth, FOUND), deep.first(depth))


@EACH
def test_batch_equals_its_questions_one_by_one(run: str) -> None:
    generator = _built(run)
    rows, columns = _pairs(len(QUERIES), len(TEXTS))
    batch = _by_question(generator.search(QUERIES, 5, FOUND), len(QUERIES))
    scores = generator.score(QUERIES, rows, columns, FOUND)
    for row in range(len(QUERIES)):
        query = QUERIES.slice(row, row + 1)
        found = _found(MATERIAL, query)
        ((alone, alone_scores),) = _by_question(generator.search(query, 5, found), 1)
        assert alone == batch[row][0]
        assert alone_scores == pytest.approx(batch[row][1], abs=1e-6)
        single = generator.score(query, *_pairs(1, len(TEXTS)), found)
        np.testing.assert_allclose(single, scores[rows == row], atol=1e-6)


@EACH
@given(st.permutations(range(len(QUESTIONS))))
def test_order_of_the_questions_changes_nothing(run: str, order: list[int]) -> None:
    generator, shuffled = _built(run), QUERIES.take(np.array(order))
    hits = _by_question(generator.search(QUERIES, 5, FOUND), len(QUERIES))
    others = _by_question(generator.search(shuffled, 5, _found(MATERIAL, shuffled)), len(QUERIES))
    for place, row in enumerate(order):
        assert others[place][0] == hits[row][0]
        assert others[place][1] == pytest.approx(hits[row][1], abs=1e-6)


@EACH
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 8)), max_size=12))
def test_score_of_a_pair_does_not_depend_on_the_other_pairs(run: str, pairs: list[tuple[int, int]]) -> None:
    generator = _built(run)
    every = generator.score(QUERIES, *_pairs(len(QUERIES), len(TEXTS)), FOUND)
    rows, columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    some = generator.score(QUERIES, rows, columns, FOUND)
    np.testing.assert_allclose(some, every[rows * len(TEXTS) + columns], atol=1e-6)


@EACH
def test_equal_passages_score_the_same(run: str) -> None:
    generator = _built(run)
    scores = generator.score(QUERIES, *_pairs(len(QUERIES), len(TEXTS)), FOUND).reshape(len(QUERIES), -1)
    assert np.array_equal(scores[:, 1], scores[:, 5])
    assert np.array_equal(scores[:, 6], scores[:, 7])


@EACH
def test_equal_passages_are_found_side_by_side(run: str) -> None:
    for columns, _ in _by_question(_built(run).search(QUERIES, 100, FOUND), len(QUERIES)):
        for one, other in ((1, 5), (6, 7)):
            assert (one in columns) == (other in columns)
            assert one not in columns or columns.index(other) == columns.index(one) + 1


@EACH
def test_heading_without_text_scores_nothing(run: str) -> None:
    generator = _built(run)
    scores = generator.score(QUERIES, *_pairs(len(QUERIES), len(TEXTS)), FOUND).reshape(len(QUERIES), -1)
    headings = scores[:, [0, 4]]
    assert (np.isnan(headings) | (headings == generator.floor)).all()


@EACH
def test_no_questions_have_no_hits_and_no_scores(run: str) -> None:
    generator, nothing = _built(run), np.empty(0, np.int64)
    queries = QUERIES.slice(0, 0)
    found = _found(MATERIAL, queries)
    hits = generator.search(queries, 10, found)
    assert [len(values) for values in vars_of(hits)] == [0, 0, 0]
    assert len(generator.score(queries, nothing, nothing, found)) == 0


@EACH
def test_corpus_of_headings_alone_gives_nothing(run: str) -> None:
    material = _material(["", "  "], [(0, 1)], [])
    generator = _built(run, material)
    found = _found(material, QUERIES)
    assert not len(generator.search(QUERIES, 10, found).rows)
    scores = generator.score(QUERIES, *_pairs(len(QUERIES), 2), found)
    assert (np.isnan(scores) | (scores == generator.floor)).all()


@EACH
def test_generator_gives_the_same_after_saving_and_loading(run: str, tmp_path: Path) -> None:
    generator = _built(run)
    generator.save(tmp_path / "index")
    loaded = generator_class(run).load(tmp_path / "index")
    pairs = _pairs(len(QUERIES), len(TEXTS))
    assert len(loaded) == len(generator)
    assert _same(loaded.search(QUERIES, 5, FOUND), generator.search(QUERIES, 5, FOUND))
    np.testing.assert_array_equal(
        loaded.score(QUERIES, *pairs, FOUND), generator.score(QUERIES, *pairs, FOUND)
    )


@EACH
def test_generator_of_headings_alone_can_be_saved_and_loaded(run: str, tmp_path: Path) -> None:
    material = _material([""], [], [])
    _built(run, material).save(tmp_path / "index")
    loaded = generator_class(run).load(tmp_path / "index")
    assert len(loaded) == 1
    assert not len(loaded.search(QUERIES, 5, _found(material, QUERIES)).rows)


@pytest.mark.parametrize(
    "run",
    [
        "bm52",
        "",
        ":Bm25",
        "rulerank.nowhere:Bm25",
        "rulerank.retrieve.bm25:Bm52",
        "rulerank.retrieve.bm25",
        "..bm25:Bm25",
    ],
)
def test_unknown_generator_names_those_there_are(run: str) -> None:
    with pytest.raises(
        SettingsError, match="expected one of bm25, bm25_context, dense, late, closure"
    ) as said:
        generator_class(run)
    assert repr(run) in str(said.value)
    assert "Correct the name, or install its package." in str(said.value)


def test_class_without_the_methods_of_a_generator_is_refused() -> None:
    with pytest.raises(
        SettingsError, match="found no name, floor, build, search, score, load, __len__ in it"
    ):
        generator_class("rulerank.retrieve.latent:LatentSpace")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([], "at least 1 item"),
        (["bm52"], "expected one of bm25, bm25_context, dense, closure or a dotted name"),
        (["bm25", "dense", "bm25"], "expected each run once, found bm25 more than once"),
        (["closure"], "name it last, after one of them"),
        (["bm25", "closure", "dense"], "name it last, after one of them"),
    ],
)
def test_runs_that_no_search_can_follow_are_refused(runs: list[str], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Candidates.model_validate({"runs": runs})


def test_runs_may_name_a_generator_from_outside() -> None:
    runs = ("bm25", PLUGGED_IN, "closure")
    assert Candidates.model_validate({"runs": runs}).runs == runs
    assert generator_class(PLUGGED_IN).__name__ == "TfIdf"
