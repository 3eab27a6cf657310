from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from rulerank.evaluate.measures import average, per_query
from rulerank.learn.adapters.dense import train_adapter
from rulerank.learn.encoder import held_out as module
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.held_out import HeldOutRanking, measure
from rulerank.learn.encoder.judged import JudgedQuestions
from rulerank.learn.encoder.losses import load_loss
from rulerank.settings import Adapter, Finetune, Settings
from rulerank.tables import JUDGEMENTS, RUNS


def _published(scores: np.ndarray, relevant: np.ndarray) -> dict[str, float]:
    """Measure the same with the evaluation's own measures."""
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
    measured = measure(scores, np.eye(scores.shape[1], dtype=np.float32), relevant)
    second, fourth = 1 / np.log2(3), 1 / np.log2(5)
    assert measured["nDCG@10"] == pytest.approx(((second + fourth) / (1 + second) + 1) / 2)
    assert measured["Recall@10"] == 1


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 30))
def test_measure_agrees_with_that_of_the_evaluation(seed: int, queries: int, passages: int) -> None:
    generator = np.random.default_rng(seed)
    relevant = generator.random((queries, passages)) < generator.random()
    relevant[np.arange(queries), generator.integers(passages, size=queries)] = True
    scores = generator.integers(0, 4, size=(queries, passages)).astype(np.float32)
    grades = sparse.csr_array(relevant * generator.integers(1, 3, size=relevant.shape))
    assert measure(scores, np.eye(passages, dtype=np.float32), grades) == pytest.approx(
        _published(scores, relevant), abs=1e-6
    )


def test_measure_in_small_blocks_is_that_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    questions, passages = (generator.normal(size=(size, 4)).astype(np.float32) for size in (7, 20))
    relevant = sparse.csr_array((generator.random((7, 20)) < 0.2).astype(np.float32))
    whole, sizes = measure(questions, passages, relevant), []
    monkeypatch.setattr(module, "CELLS", 50)
    best = module.best_columns
    monkeypatch.setattr(
        module, "best_columns", lambda scores, depth: sizes.append(scores.size) or best(scores, depth)
    )
    assert measure(questions, passages, relevant) == pytest.approx(whole)
    assert sizes == [40, 40, 40, 20]


@pytest.mark.parametrize("loss", ["corpus_softmax", "multiple_negatives"])
def test_held_out_ranking_is_that_of_mapped_questions_over_the_passages(
    tiny_encoder: Path, judged: JudgedQuestions, loss: str
) -> None:
    settings = Settings(finetune=Finetune(loss=loss), adapter=Adapter(epochs=2))
    model = load_model(str(tiny_encoder), "cpu")
    judge = load_loss(settings.finetune)(model, judged, settings)
    questions, passages = judged.frozen.queries, judged.frozen.passages
    if loss == "corpus_softmax":
        trained = train_adapter(questions, passages, judged.relevant, settings.adapter, settings.seed)
        questions, passages = trained.queries(questions), trained.passages(passages)
    expected = measure(questions, passages, judged.relevant)
    assert HeldOutRanking(judged, judge, seed=1)(model) == pytest.approx(expected)


def test_pool_holds_the_relevant_passages_and_few_others(
    tiny_encoder: Path, judged: JudgedQuestions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "POOL", 1)
    settings = Settings(finetune=Finetune(loss="multiple_negatives"))
    judge = load_loss(settings.finetune)(load_model(str(tiny_encoder), "cpu"), judged, settings)
    embedded: list[list[str]] = []

    class Model:
        def encode(self, texts: list[str], **_: object) -> np.ndarray:
            embedded.append(texts)
            return np.eye(len(texts), 8, dtype=np.float32)

    HeldOutRanking(judged, judge, seed=1)(Model())
    questions, passages = embedded
    assert questions == judged.questions
    assert set(judged.passages[:3]) <= set(passages)
    assert len(passages) <= 4
