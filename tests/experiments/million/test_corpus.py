from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from experiments.million.corpus import QUERY_VECTORS, Corpus, read_corpus, write_corpus
from experiments.million.words import vocabulary
from rulerank.graph.hierarchy import parent_of
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES
from rulerank.text import analyse

SIZE = 3000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write_corpus(folder, SIZE)
    return folder


@pytest.fixture(scope="module")
def corpus(folder: Path) -> Corpus:
    return read_corpus(folder)


def _rows(corpus: Corpus, kind: str) -> tuple[np.ndarray, np.ndarray]:
    rows = corpus.passages.select("passage_id").with_row_index("row")
    ends = corpus.edges.filter(pl.col("type") == kind)
    sources = ends.join(rows, left_on="source_id", right_on="passage_id", maintain_order="left")["row"]
    targets = ends.join(rows, left_on="target_id", right_on="passage_id", maintain_order="left")["row"]
    return sources.to_numpy().astype(int), targets.to_numpy().astype(int)


def test_tables_are_those_of_a_corpus(corpus: Corpus) -> None:
    assert PASSAGES.check(corpus.passages, "passages").height == SIZE
    EDGES.check(corpus.edges, "edges")
    named = DOCUMENTS.check(corpus.documents, "documents")["document_id"]
    assert set(named) == set(corpus.passages["document_id"])


def test_one_seed_gives_the_same_bytes_and_another_seed_others(folder: Path, tmp_path: Path) -> None:
    write_corpus(tmp_path / "again", SIZE)
    write_corpus(tmp_path / "other", SIZE, seed=8)
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    assert (tmp_path / "other/words.npy").read_bytes() != (folder / "words.npy").read_bytes()


def test_analysed_text_is_the_words_that_were_drawn(corpus: Corpus) -> None:
    analysed = analyse(corpus.passages["text"].to_list())
    for row, terms in enumerate(analysed):
        drawn = corpus.words[corpus.starts[row] : corpus.starts[row + 1]]
        assert terms == [corpus.vocabulary[word] for word in drawn]
    assert corpus.starts[-1] == len(corpus.words)


def test_every_word_of_the_vocabulary_is_another_and_is_its_own_stem() -> None:
    words = vocabulary()
    assert len(set(words)) == len(words)
    assert [terms for (terms,) in analyse(words)] == words


def test_few_words_are_frequent_and_many_are_rare(corpus: Corpus) -> None:
    counts = np.sort(np.bincount(corpus.words))[::-1] / len(corpus.words)
    assert 0.01 < counts[0] < 0.03
    assert 0.3 < counts[:1000].sum() < 0.7


def test_parents_are_those_that_the_section_numbers_say(corpus: Corpus) -> None:
    read = parent_of(corpus.passages).select("source_id", "target_id").sort("target_id")
    stated = corpus.edges.filter(pl.col("type") == "PARENT_OF").select("source_id", "target_id")
    assert stated.sort("target_id").equals(read)


def test_citations_are_a_few_and_supersession_leads_backwards(corpus: Corpus) -> None:
    sources, targets = _rows(corpus, "REFERENCES")
    assert 0.04 * SIZE < len(sources) < 0.07 * SIZE
    assert 0.7 < (np.abs(sources - targets) <= 100).mean() < 0.95
    later, earlier = _rows(corpus, "SUPERSEDES")
    assert (earlier < later).all()


def test_vectors_have_unit_length_and_those_of_one_topic_are_alike(corpus: Corpus) -> None:
    np.testing.assert_allclose(np.linalg.norm(corpus.vectors, axis=1), 1, atol=1e-5)
    assert np.mean(np.asarray(corpus.vectors[:50]) @ corpus.vectors[10]) > 0.3
    assert abs(np.mean(np.asarray(corpus.vectors[1000:1050]) @ corpus.vectors[10])) < 0.1


def test_questions_share_words_and_direction_with_their_passage(corpus: Corpus, folder: Path) -> None:
    rows = corpus.passages.with_row_index("row").select("passage_id", "row", passage="text")
    asked = corpus.queries.join(rows, on="passage_id", maintain_order="left")
    assert all(
        set(text.split()) <= set(known.split()) for text, known in asked["text", "passage"].iter_rows()
    )
    cosines = (np.load(folder / QUERY_VECTORS) * corpus.vectors[asked["row"].to_numpy()]).sum(axis=1)
    assert 0.6 < cosines.mean() < 0.8


def test_degrees_count_the_edges_of_a_passage(corpus: Corpus) -> None:
    ends = [*corpus.edges["source_id"], *corpus.edges["target_id"]]
    first = corpus.centrality.row(0, named=True)
    assert first["degree"] == ends.count(first["passage_id"])
    assert corpus.centrality["pagerank"].sum() == pytest.approx(1, rel=1e-4)


def test_smallest_corpus_can_be_written(tmp_path: Path) -> None:
    write_corpus(tmp_path / "small", 2)
    assert read_corpus(tmp_path / "small").passages["section"].to_list() == ["1", "1.1"]
