from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from rulerank.learn.adapters.dense import Embedded
from rulerank.learn.encoder.export import load_model
from rulerank.learn.encoder.lesson import Lesson, _pairs, teach, training_digest
from rulerank.settings import Adapter, Encoder, Finetune, Settings

QUESTIONS = ["What must the baker keep?", "Who pays the fee?", "When does the pilot sleep?"]
PASSAGES = ["The baker keeps a ledger.", "The pilot pays a fee.", "A pilot sleeps by day.", "It is.", "Tea."]
# The first question has two relevant passages, the others one each.
RELEVANT = sparse.csr_array(np.array([[1, 1, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]], np.float32))
# Behind the two ranks that are left out: passages 3 and 4, 4 alone, nothing but the relevant passage.
RANKED = np.array([[0, 1, 3, 4], [0, 1, 4, 4], [0, 1, 2, 2]])
LESSON = Lesson(QUESTIONS, PASSAGES, RELEVANT, Embedded(np.eye(3, 5), np.eye(5)), RANKED)


def test_only_keeps_some_questions_with_all_that_is_theirs() -> None:
    kept = LESSON.only(np.array([False, True, True]))
    assert kept.questions == QUESTIONS[1:]
    assert kept.passages == PASSAGES
    assert np.array_equal(kept.relevant.toarray(), RELEVANT.toarray()[1:])
    assert np.array_equal(kept.frozen.queries, np.eye(3, 5)[1:])
    assert np.array_equal(kept.frozen.passages, np.eye(5))
    assert np.array_equal(kept.ranked, RANKED[1:])


def test_pairs_are_one_row_a_relevant_passage() -> None:
    assert _pairs(LESSON, 0, seed=1) == {
        "question": [QUESTIONS[0], QUESTIONS[0], QUESTIONS[1], QUESTIONS[2]],
        "relevant": [PASSAGES[0], PASSAGES[1], PASSAGES[1], PASSAGES[2]],
    }


def test_pairs_hold_mined_negatives_and_leave_out_the_question_that_has_none() -> None:
    pairs = _pairs(LESSON, 2, seed=1)
    assert pairs["question"] == [QUESTIONS[0], QUESTIONS[0], QUESTIONS[1]]
    assert pairs["relevant"] == [PASSAGES[0], PASSAGES[1], PASSAGES[1]]
    first, second = pairs["negative_0"], pairs["negative_1"]
    assert {first[0], second[0]} == {first[1], second[1]} == set(PASSAGES[3:])
    assert first[2] == second[2] == PASSAGES[4]


def _settings(loss: str, **more: object) -> Settings:
    tuning = Finetune(epochs=1, loss=loss, batch_size=2, learning_rate=1e-3, max_tokens=32, **more)
    return Settings(finetune=tuning, adapter=Adapter(epochs=1))


@pytest.fixture
def lesson(tiny_encoder: Path) -> Lesson:
    model = load_model(str(tiny_encoder))
    queries, passages = (model.encode(each, normalize_embeddings=True) for each in (QUESTIONS, PASSAGES))
    return replace(LESSON, frozen=Embedded(queries, passages))


@pytest.mark.parametrize(
    ("loss", "more", "width"),
    [
        ("corpus_softmax", {}, 32),
        ("multiple_negatives", {}, 32),
        ("multiple_negatives", {"negatives": 1, "head": 48}, 48),
        ("cached_multiple_negatives", {"mini_batch_size": 1}, 32),
    ],
)
def test_teach_trains_the_encoder_and_measures_it(
    tiny_encoder: Path, tmp_path: Path, lesson: Lesson, loss: str, more: dict[str, object], width: int
) -> None:
    model = load_model(str(tiny_encoder))
    measured = teach(model, lesson, lesson, _settings(loss, **more), tmp_path / "checkpoints")
    after = model.encode(QUESTIONS, normalize_embeddings=True)
    assert after.shape == (3, width)
    assert width != 32 or not np.allclose(after, lesson.frozen.queries, atol=1e-4)
    assert set(measured) == {"nDCG@10", "Recall@10"}
    assert measured["Recall@10"] == 1  # there are five passages
    assert not (tmp_path / "checkpoints").exists()


@pytest.mark.parametrize("loss", ["corpus_softmax", "multiple_negatives"])
def test_teach_without_hidden_questions_measures_nothing(
    tiny_encoder: Path, tmp_path: Path, lesson: Lesson, loss: str
) -> None:
    nobody = lesson.only(np.zeros(3, bool))
    model = load_model(str(tiny_encoder))
    assert teach(model, lesson, nobody, _settings(loss), tmp_path / "checkpoints") == {}


def _digest(shown: Lesson = LESSON, hidden: Lesson = LESSON, **settings: object) -> str:
    return training_digest("model", shown, hidden, Settings(**settings))


@pytest.mark.parametrize(
    "changed",
    [
        {"shown": LESSON.only(np.array([True, True, False]))},
        {"shown": replace(LESSON, ranked=RANKED[:, ::-1])},
        {"shown": replace(LESSON, passages=[*PASSAGES[:4], "Milk."])},
        {"hidden": replace(LESSON, questions=[*QUESTIONS[:2], "Who sleeps?"])},
        {"hidden": replace(LESSON, relevant=RELEVANT[[1, 0, 2]])},
        {"hidden": LESSON.only(np.zeros(3, bool))},
        {"seed": 8},
        {"finetune": Finetune(epochs=2)},
        {"adapter": Adapter(epochs=1)},
    ],
)
def test_training_has_another_name_where_weights_or_measures_may_differ(changed: dict[str, Any]) -> None:
    assert _digest(**changed) != _digest()


def test_training_has_the_same_name_where_nothing_it_depends_on_differs() -> None:
    assert _digest(finetune=Finetune(parts=2), encoder=Encoder(batch_size=1), threads=1) == _digest()
    both_sides = Finetune(loss="multiple_negatives")
    changed = _digest(finetune=both_sides, adapter=Adapter(epochs=1))
    assert changed == _digest(finetune=both_sides)
