from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rulerank.evaluate.measures import average, per_query
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.held_out import HeldOutRanking, measure
from rulerank.tables import JUDGEMENTS, RUNS


def _published(scores: np.ndarray, relevant: np.ndarray) -> dict[str, float]:
    """Measure the same with the measures of the evaluation."""
    order = np.argsort(-scores, axis=1, kind="stable")
    rows = [
        ("run", f"q{query}", f"p{column}", rank, float(scores[query, column]))
        for query in range(len(scores))
        for rank, column in enumerate(order[query].tolist(), start=1)
    ]
    judged = [(f"q{query}", f"p{column}", 1) for query, column in np.argwhere(relevant).tolist()]
    runs = pl.DataFrame(rows, schema=dict(RUNS.columns), orient="row")
    judgements = pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row")
    means = average(per_query(judgements, runs)).row(0, named=True)
    return {name: means[name] for name in ("nDCG@10", "Recall@10")}


def test_measure_by_hand() -> None:
    relevant = sparse.csr_array(np.array([[0, 1, 0, 1], [1, 0, 0, 0]], np.float32))
    scores = np.array([[0.9, 0.8, 0.7, 0.1], [0.9, 0.8, 0.7, 0.1]], np.float32)
    found = measure(scores, relevant)
    second, fourth = 1 / np.log2(3), 1 / np.log2(5)
    assert found["nDCG@10"] == pytest.approx(((second + fourth) / (1 + second) + 1) / 2)
    assert found["Recall@10"] == 1


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 30))
def test_measure_agrees_with_that_of_the_evaluation(seed: int, queries: int, passages: int) -> None:
    generator = np.random.default_rng(seed)
    relevant = generator.random((queries, passages)) < generator.random()
    relevant[np.arange(queries), generator.integers(passages, size=queries)] = True
    scores = generator.integers(0, 4, size=(queries, passages)).astype(np.float32)
    grades = sparse.csr_array(relevant * generator.integers(1, 3, size=relevant.shape))
    assert measure(scores, grades) == pytest.approx(_published(scores, relevant), abs=1e-6)


def test_held_out_ranking_scores_the_embeddings_of_the_questions(tiny_encoder: Path) -> None:
    model = load_model(str(tiny_encoder))
    texts = ["Who keeps the register?", "What does the pilot need?"]
    asked = model.encode(texts, normalize_embeddings=True)
    relevant = sparse.csr_array(np.eye(2, dtype=np.float32))
    judge = HeldOutRanking(texts, relevant, lambda _, vectors: vectors @ asked.T)
    assert judge(model) == {"nDCG@10": pytest.approx(1), "Recall@10": 1}
    backwards = HeldOutRanking(texts, relevant, lambda _, vectors: -vectors @ asked.T)
    assert backwards(model)["nDCG@10"] == pytest.approx(1 / np.log2(3))
