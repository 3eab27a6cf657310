from __future__ import annotations

from pathlib import Path
from unittest.mock import create_autospec

import numpy as np
import polars as pl
import pytest

from experiments.authority_baselines import dense_rerank, hypothetical, tf_idf, tuned
from rulerank.arrays import normalise_rows
from rulerank.authority.domain import Domain
from rulerank.authority.index import index_domain
from rulerank.authority.search import Embeddings
from rulerank.authority.supersession import order_by_edges
from rulerank.llm import LanguageModel
from rulerank.llm.replies import Replies
from rulerank.settings import Bm25


def test_tf_idf_is_the_cosine_of_weighted_stems() -> None:
    cosines = tf_idf(["ash farm", "ash farms", "oak"], ["farm", "elm"])
    # Stemming makes the first two equal. Their two terms are equally rare, so each has half the weight.
    assert cosines[0] == pytest.approx([np.sqrt(0.5), np.sqrt(0.5), 0])
    assert cosines[1].tolist() == [0, 0, 0]


def test_dense_rerank_promotes_only_what_dense_found() -> None:
    names = [str(row) for row in range(30)]
    order = order_by_edges(np.array([2, 25, 4]), np.array([1, 3, 5]), names, "x")
    # 2 voids 1 and 4 voids 5, which are found; 25 voids 3, but is ranked below the first twenty.
    assert dense_rerank(order, np.arange(30)).tolist()[:6] == [2, 4, 0, 1, 3, 5]
    assert dense_rerank(order, np.arange(30)).tolist()[25] == 25


def test_tuned_encoder_learns_from_other_questions_where_gold_lies() -> None:
    generator = np.random.default_rng(1)
    # Gold differs from the question along two axes, the same way for all, so a linear map can undo it.
    vectors = normalise_rows(generator.normal(size=(60, 8)).astype(np.float32))
    gold = vectors * np.array([-1, -1, 1, 1, 1, 1, 1, 1], np.float32)
    documents = pl.DataFrame(
        {
            "document_id": [str(row) for row in range(60)],
            "type": ["title", "lien"] * 30,
            "text": ["text"] * 60,
            "timestamp": pl.Series([None] * 60, dtype=pl.Datetime("us")),
            "scope": [{"plot": str(row)} for row in range(60)],
        }
    )
    domain = Domain(anchor_type="title", superseding_type="lien", scope_keys="plot")
    index = index_domain(documents, domain, "x", Bm25())
    queries = pl.DataFrame({"gold": [[str(row)] for row in range(60)]})
    scores = tuned(index, queries, Embeddings(gold, vectors))
    before, after = (
        (each >= each.diagonal()[:, None]).sum(axis=1).mean() for each in (vectors @ gold.T, scores)
    )
    assert after < 0.8 * before


def test_what_a_model_once_wrote_is_not_asked_for_again(tmp_path: Path) -> None:
    model = create_autospec(LanguageModel, instance=True)
    model.name, model.complete.side_effect = "writer", ["a notice", "a ruling"]
    replies = tmp_path / "hyde.jsonl"
    assert hypothetical(["one?", "two?"], model, Replies(replies)) == ["a notice", "a ruling"]
    assert hypothetical(["two?", "one?"], model, Replies(replies)) == ["a ruling", "a notice"]
    assert model.complete.call_count == 2
