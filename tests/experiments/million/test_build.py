"""The index of a generated corpus, and the page with its measurements."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments.bench.rows import Row, value_row
from experiments.million.build import RELEVANT, TRAINING_QUESTIONS, build_index
from experiments.million.corpus import Corpus, read_corpus, write_corpus
from experiments.million.measure import BEYOND, DENSE, LOAD, PASS, RESIDENT
from experiments.million.page import bars, page
from rulerank.features.extract import extract
from rulerank.features.index import RankingIndex
from rulerank.features.registry import registered
from rulerank.features.withheld import nothing_withheld
from rulerank.retrieve.queries import prepare_queries
from rulerank.settings import Candidates, Extract
from tests.features.world import TABLE

SIZE = 2000


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus") / "made"
    write_corpus(folder, SIZE)
    return read_corpus(folder)


@pytest.fixture(scope="module")
def index(corpus: Corpus) -> RankingIndex:
    return build_index(corpus, Candidates(), TABLE, Extract())


def test_every_training_question_judges_passages_with_a_text(index: RankingIndex) -> None:
    sizes = index.judgements.sets.sizes
    assert len(sizes) == TRAINING_QUESTIONS
    assert set(sizes) == set(range(1, RELEVANT + 1))
    assert index.around.has_text[index.judgements.sets.items].all()


def test_features_of_a_trained_ranker_can_be_computed(corpus: Corpus, index: RankingIndex) -> None:
    asked = corpus.queries.head(5)
    vectors = corpus.vectors[[index.passage_ids.index_of(each) for each in asked["passage_id"]]]
    queries = prepare_queries(asked["query_id"].to_list(), asked["text"].to_list(), vectors)
    features = registered().of_pass(1).without("late")
    (batch,) = extract(index, queries, nothing_withheld(queries), features, Candidates())
    found = index.passage_ids.gather(batch.pairs.columns)
    relevant = asked["passage_id"].gather(batch.pairs.rows)
    assert set(batch.pairs.rows[(found == relevant).to_numpy()]) == set(range(5))
    # Judged, cited and superseded passages are among the candidates, so no group of features is empty.
    spread = np.nanmax(batch.matrix, axis=0) - np.nanmin(batch.matrix, axis=0)
    varied = dict(zip(features.names, spread > 0, strict=True))
    assert all(varied[name] for name in ("bm25_score", "dense_score", "relevance_prior", "pr"))


def _rows(load: float, resident: float, beyond: float, dense: float, one_pass: float) -> list[Row]:
    values = {LOAD: load, RESIDENT: resident, BEYOND: beyond, DENSE: dense, PASS: one_pass}
    return [value_row(name, "", 1, [value]) for name, value in values.items()]


def test_bars_compare_the_largest_corpus_with_the_smallest() -> None:
    measured = {1000: _rows(1, 300, 20, 2, 1), 10: _rows(0.5, 100, 10, 1, 1)}
    assert bars(measured)["measured"].to_list() == pytest.approx([1, 300 / 1024, 2, 2])


def test_page_states_every_figure_with_its_size() -> None:
    written = page({1000: _rows(1, 300, 20, 2, 1)}, {"cores": "2"}, Path("bundle"), 3)
    assert "## 1,000 passages" in written
    assert "| 1000 | load |" in written
