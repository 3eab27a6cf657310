"""The promises of every candidate generator: the package's own, and one plugged in by its dotted name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.retrieve.conforming import require_hits
from rulerank.retrieve.generator import Generator, Material, generator_class
from rulerank.retrieve.hits import Hits
from tests.retrieve.material import (
    ASKED,
    CITED,
    CORPORA,
    EACH,
    FOUND,
    MATERIAL,
    NAMED,
    QUERIES,
    QUESTIONS,
    SETTINGS,
    TEXTS,
    all_pairs,
    found_before,
    material_of,
    queries_of,
)


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


def _built(run: str, material: Material = MATERIAL) -> Generator:
    return generator_class(run).build(material, SETTINGS)


@EACH
def test_generator_indexes_every_passage_and_has_a_name_of_its_own(run: str) -> None:
    generator = _built(run)
    assert len(generator) == len(TEXTS)
    assert generator.name == NAMED.get(run, run)


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
    material = material_of(texts, citations, [(0, row) for row in range(1, size)])
    generator, queries = _built(run, material), queries_of(asked)
    found = found_before(material, queries)
    hits = generator.search(queries, depth, found)

    rows, columns = all_pairs(len(asked), size)
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
        # Scores fall; passages with equal scores keep their order.
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
    rows, columns = all_pairs(len(QUERIES), len(TEXTS))
    batch = _by_question(generator.search(QUERIES, 5, FOUND), len(QUERIES))
    scores = generator.score(QUERIES, rows, columns, FOUND)
    for row in range(len(QUERIES)):
        query = QUERIES.slice(row, row + 1)
        found = found_before(MATERIAL, query)
        ((alone, alone_scores),) = _by_question(generator.search(query, 5, found), 1)
        assert alone == batch[row][0]
        assert alone_scores == pytest.approx(batch[row][1], abs=1e-6)
        single = generator.score(query, *all_pairs(1, len(TEXTS)), found)
        np.testing.assert_allclose(single, scores[rows == row], atol=1e-6)


@EACH
@given(st.permutations(range(len(QUESTIONS))))
def test_order_of_the_questions_changes_nothing(run: str, order: list[int]) -> None:
    generator, shuffled = _built(run), QUERIES.take(np.array(order))
    hits = _by_question(generator.search(QUERIES, 5, FOUND), len(QUERIES))
    others = _by_question(generator.search(shuffled, 5, found_before(MATERIAL, shuffled)), len(QUERIES))
    for place, row in enumerate(order):
        assert others[place][0] == hits[row][0]
        assert others[place][1] == pytest.approx(hits[row][1], abs=1e-6)


@EACH
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 8)), max_size=12))
def test_score_of_a_pair_does_not_depend_on_the_other_pairs(run: str, pairs: list[tuple[int, int]]) -> None:
    generator = _built(run)
    every = generator.score(QUERIES, *all_pairs(len(QUERIES), len(TEXTS)), FOUND)
    rows, columns = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    some = generator.score(QUERIES, rows, columns, FOUND)
    np.testing.assert_allclose(some, every[rows * len(TEXTS) + columns], atol=1e-6)


@EACH
def test_equal_passages_score_the_same(run: str) -> None:
    generator = _built(run)
    scores = generator.score(QUERIES, *all_pairs(len(QUERIES), len(TEXTS)), FOUND).reshape(len(QUERIES), -1)
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
    scores = generator.score(QUERIES, *all_pairs(len(QUERIES), len(TEXTS)), FOUND).reshape(len(QUERIES), -1)
    headings = scores[:, [0, 4]]
    assert (np.isnan(headings) | (headings == generator.floor)).all()


@EACH
def test_no_questions_have_no_hits_and_no_scores(run: str) -> None:
    generator, nothing = _built(run), np.empty(0, np.int64)
    queries = QUERIES.slice(0, 0)
    found = found_before(MATERIAL, queries)
    hits = generator.search(queries, 10, found)
    assert [len(values) for values in vars_of(hits)] == [0, 0, 0]
    assert len(generator.score(queries, nothing, nothing, found)) == 0


@EACH
@pytest.mark.parametrize("headings_alone", [False, True])
def test_batch_has_hits_of_the_right_kind_even_if_no_question_has_one(run: str, headings_alone: bool) -> None:
    material = material_of(["", ""], [], []) if headings_alone else MATERIAL
    # No passage has the word, so that no generator that goes by words has a hit either.
    generator, queries = _built(run, material), queries_of(["zebra", "zebra"])
    hits = generator.search(queries, 3, found_before(material, queries))
    require_hits(hits, generator, questions=2, depth=3)
    assert not headings_alone or not len(hits.rows)


@EACH
def test_corpus_of_headings_alone_gives_nothing(run: str) -> None:
    material = material_of(["", "  "], [(0, 1)], [])
    generator = _built(run, material)
    found = found_before(material, QUERIES)
    assert not len(generator.search(QUERIES, 10, found).rows)
    scores = generator.score(QUERIES, *all_pairs(len(QUERIES), 2), found)
    assert (np.isnan(scores) | (scores == generator.floor)).all()


@EACH
def test_generator_gives_the_same_after_saving_and_loading(run: str, tmp_path: Path) -> None:
    generator = _built(run)
    generator.save(tmp_path / "index")
    loaded = generator_class(run).load(tmp_path / "index")
    pairs = all_pairs(len(QUERIES), len(TEXTS))
    assert len(loaded) == len(generator)
    assert _same(loaded.search(QUERIES, 5, FOUND), generator.search(QUERIES, 5, FOUND))
    np.testing.assert_array_equal(
        loaded.score(QUERIES, *pairs, FOUND), generator.score(QUERIES, *pairs, FOUND)
    )


@EACH
def test_generator_of_headings_alone_can_be_saved_and_loaded(run: str, tmp_path: Path) -> None:
    material = material_of([""], [], [])
    _built(run, material).save(tmp_path / "index")
    loaded = generator_class(run).load(tmp_path / "index")
    assert len(loaded) == 1
    assert not len(loaded.search(QUERIES, 5, found_before(material, QUERIES)).rows)
