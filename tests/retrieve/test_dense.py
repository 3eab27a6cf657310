from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from rulerank.arrays import FloatArray, normalise_rows
from rulerank.ragged import Ragged
from rulerank.retrieve import dense
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Material
from rulerank.retrieve.latent import LatentSpace, append_latent
from rulerank.retrieve.queries import Queries
from rulerank.settings import Candidates
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from tests.retrieve.material import all_pairs

OFF = 2e-3
"""More than rounding these embeddings to 8 bits changes an element or a cosine by."""


def _asked(embeddings: FloatArray) -> Queries:
    return Queries([f"q{row}" for row in range(len(embeddings))], [[]] * len(embeddings), embeddings)


def _identity(width: int) -> Adapter:
    return Adapter(*np.zeros((2, width, width), np.float32))


def _dense(passages: FloatArray, adapter: Adapter | None = None, latent: LatentSpace | None = None) -> Dense:
    embedded = EmbeddedPassages(passages, adapter or _identity(passages.shape[1]), latent)
    return Dense.of(embedded, np.ones(len(passages), bool))


def _unit(random: np.random.Generator, *shape: int) -> FloatArray:
    return normalise_rows(random.normal(size=shape).astype(np.float32))


def test_scores_are_the_cosines_of_the_adapted() -> None:
    # W maps the second axis to the first, V does nothing: (0, 1) + (1, 0) -> (1, 1) / sqrt 2.
    adapter = Adapter(np.array([[0, 0], [1, 0]], np.float32), np.zeros((2, 2), np.float32))
    index = _dense(np.array([[1, 0], [0, 1], [0.6, 0.8]], np.float32), adapter)
    question = _asked(np.array([[0, 1]], np.float32))
    assert index.score(question, *all_pairs(1, 3)) == pytest.approx(
        np.array([1, 1, 1.4]) / np.sqrt(2), abs=OFF
    )
    hits = index.search(question, 2, {})
    assert hits.columns.tolist() == [2, 0]
    assert hits.scores == pytest.approx(np.array([1.4, 1]) / np.sqrt(2), abs=OFF)


@pytest.mark.parametrize("queries", [1, 3, 7])
def test_equal_passages_share_one_vector_and_one_score(queries: int) -> None:
    random = np.random.default_rng(5)
    rows = random.integers(40, size=333)
    adapter = Adapter(*(0.1 * random.normal(size=(2, 48, 48)).astype(np.float32)))
    index = _dense(_unit(random, 40, 48)[rows], adapter)
    assert len(index.vectors) == len(index.pretrained) == len(np.unique(rows)) == 40
    questions = _asked(_unit(random, queries, 48))
    scores = index.score(questions, *all_pairs(queries, 333)).reshape(queries, 333)
    hits = index.search(questions, 333, {})
    for row in range(40):
        same = np.flatnonzero(rows == row)
        assert len(np.unique(scores[:, same], axis=1).T) == 1
        for query in range(queries):
            found = hits.columns[hits.rows == query]
            assert found[np.isin(found, same)].tolist() == same.tolist()


def test_vectors_stand_in_the_order_of_their_first_passages() -> None:
    passages = np.array([[0, 1], [1, 0], [0, 1], [0.6, 0.8]], np.float32)
    index = _dense(passages)
    assert index.place.tolist() == [0, 1, 0, 2]
    assert index.vectors.numbers() == pytest.approx(passages[[0, 1, 3]], abs=OFF)


def test_ties_of_different_vectors_stand_in_the_order_of_the_passages() -> None:
    # The first and the second axis are equally far from the question.
    index = _dense(np.array([[0, 1], [1, 0], [0, 1], [1, 0]], np.float32))
    question = _asked(np.full((1, 2), np.sqrt(0.5), np.float32))
    for depth in range(1, 5):
        assert index.search(question, depth, {}).columns.tolist() == list(range(depth))


def test_search_and_score_agree() -> None:
    random = np.random.default_rng(4)
    index, questions = _dense(_unit(random, 200, 384)), _asked(_unit(random, 6, 384))
    hits = index.search(questions, 200, {})
    assert hits.scores.tolist() == index.score(questions, hits.rows, hits.columns).tolist()


def test_heading_without_text_is_never_found_and_has_no_score() -> None:
    embedded = EmbeddedPassages(np.array([[1, 0], [0, 1], [1, 0]], np.float32), _identity(2), None)
    index = Dense.of(embedded, np.array([False, True, True]))
    question = _asked(np.array([[1, 0]], np.float32))
    assert index.search(question, 3, {}).columns.tolist() == [2, 1]
    scores = index.score(question, *all_pairs(1, 3))
    assert scores.tolist() == pytest.approx([np.nan, 0, 1], nan_ok=True)


def test_encoders_part_of_an_embedding_is_what_the_encoder_made() -> None:
    space = LatentSpace({"fee": 0}, np.array([[2, 0, 0]], np.float32))
    encoded = np.array([[0.6, 0.8], [1, 0]], np.float32)
    # The second text has no known term, so its embedding is only the encoder's.
    passages = append_latent(encoded, ["a fee", "zebra"], space)
    index = _dense(passages, latent=space)
    assert index.pretrained.numbers() == pytest.approx(encoded, abs=OFF)
    assert index.of_encoder(passages[:1]) == pytest.approx(encoded[:1], abs=1e-6)
    assert _dense(encoded).pretrained.numbers() == pytest.approx(encoded, abs=OFF)


@pytest.mark.parametrize("block", [1, 2, 16])
def test_mean_lengths_are_those_of_the_weighted_means(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(dense, "BLOCK", block)
    index = _dense(np.array([[1, 0], [0, 1], [-1, 0], [1, 0]], np.float32))
    lists = Ragged(
        np.array([0, 2, 2, 4, 6]),
        np.array([0, 1, 0, 2, 0, 3], np.int32),
        np.array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], np.float32),
    )
    # Half of each axis; nothing; two that cancel out; one vector twice.
    assert index.mean_lengths(lists).tolist() == pytest.approx([np.sqrt(0.5), 1, 1, 1])


def test_build_without_embeddings_is_refused() -> None:
    material = Material(PASSAGES.empty(), DOCUMENTS.empty(), EDGES.empty())
    with pytest.raises(ValueError, match="expected embeddings and an adapter among the material"):
        Dense.build(material, Candidates())


def test_loaded_index_gives_the_same(tmp_path: Path) -> None:
    space = LatentSpace({"fee": 0}, np.array([[2, 0, 0]], np.float32))
    random = np.random.default_rng(6)
    index = _dense(_unit(random, 9, 5), latent=space)
    questions = _asked(_unit(random, 2, 5))
    for name, each in (("with", index), ("without", _dense(_unit(random, 9, 5)))):
        each.save(tmp_path / name)
        loaded = Dense.load(tmp_path / name)
        assert (loaded.latent is None) == (each.latent is None)
        np.testing.assert_array_equal(
            loaded.score(questions, *all_pairs(2, 9)), each.score(questions, *all_pairs(2, 9))
        )
        np.testing.assert_array_equal(loaded.pretrained.numbers(), each.pretrained.numbers())


def test_search_of_a_loaded_index_copies_no_matrix(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    index = _dense(_unit(random, 20_000, 384))
    index.save(tmp_path / "dense")
    loaded, question = Dense.load(tmp_path / "dense"), _asked(_unit(random, 1, 384))
    size = loaded.vectors.codes.nbytes
    loaded.search(question, 10, {})
    tracemalloc.start()
    try:
        hits = loaded.search(question, 10, {})
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert hits.columns.tolist() == index.search(question, 10, {}).columns.tolist()
    assert peak < size / 10
