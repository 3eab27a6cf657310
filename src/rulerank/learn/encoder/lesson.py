"""What an encoder is fine-tuned on, and the two ways to do it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import sparse
from sentence_transformers import SentenceTransformer

from rulerank.arrays import IntArray
from rulerank.learn.adapters.dense import Embedded, train_adapter
from rulerank.learn.encoder.finetune import contrastive_loss, fine_tune, widen
from rulerank.learn.encoder.held_out import HeldOutRanking
from rulerank.learn.encoder.losses import CorpusSoftmax
from rulerank.learn.encoder.negatives import mine_negatives
from rulerank.settings import Settings

POOL = 1000
"""Passages that are relevant to nobody in the pool on which both sides are measured."""

_Exercise = tuple[Mapping[str, Sequence[Any]], torch.nn.Module, HeldOutRanking]


@dataclass(frozen=True, eq=False)
class Lesson:
    """Judged questions over the passages that can be candidates, N of them.

    Parameters
    ----------
    questions, passages : sequence of str
        Their texts, with the encoder's prefixes.
    relevant : csr_array of shape (questions, N)
        Relevance.
    frozen : Embedded
        Embeddings of both by the encoder as it came.
    ranked : array of shape (questions, depth)
        Passages that BM25 and the frozen encoder find together, best first: where negatives come from.

    """

    questions: Sequence[str]
    passages: Sequence[str]
    relevant: sparse.csr_array
    frozen: Embedded
    ranked: IntArray

    def only(self, kept: np.ndarray) -> Lesson:
        """Return the lesson with the questions where `kept` is true."""
        return Lesson(
            [self.questions[row] for row in np.flatnonzero(kept).tolist()],
            self.passages,
            self.relevant[kept],
            Embedded(self.frozen.queries[kept], self.frozen.passages),
            self.ranked[kept],
        )


def teach(
    model: SentenceTransformer, shown: Lesson, hidden: Lesson, settings: Settings, checkpoints: Path
) -> dict[str, float]:
    """Fine-tune an encoder on some questions as the section `finetune` says.

    Parameters
    ----------
    model : SentenceTransformer
        Trained in place.
    shown : Lesson
        What it learns.
    hidden : Lesson
        Questions that it is measured on after every epoch; nothing is chosen by them.
    settings : Settings
        All of params.yaml.
    checkpoints : Path
        Where the state after each epoch is kept until the training ends.

    Returns
    -------
    dict of str to float
        Measures of the hidden questions after the last epoch; none without such questions.

    """
    both_sides = settings.finetune.loss != "corpus_softmax"
    rows, loss, judge = (_both_sides if both_sides else _question_side)(model, shown, hidden, settings)
    # A corpus without validation questions has nothing to measure on.
    measured = judge if hidden.questions else None
    fine_tune(model, rows, loss, settings.finetune, measured, checkpoints, settings.seed)
    return judge(model) if hidden.questions else {}


def training_digest(encoder: str, shown: Lesson, hidden: Lesson, settings: Settings) -> str:
    """Name a training by all that its weights and measures depend on.

    Parameters
    ----------
    encoder : str
        Fingerprint of the encoder as it came.
    shown, hidden, settings
        As for `teach`. How many parts there are, and how texts are embedded afterwards, changes neither.

    """
    said = [encoder, settings.finetune.model_dump_json(exclude={"parts"}), str(settings.seed)]
    if settings.finetune.loss == "corpus_softmax":
        said.append(settings.adapter.model_dump_json())
    digest = hashlib.sha256("\0".join([*said, *shown.passages]).encode())
    for lesson in (shown, hidden):
        digest.update("\0".join(["", str(len(lesson.questions)), *lesson.questions]).encode())
        relevant = lesson.relevant
        for array in (relevant.indptr, relevant.indices, relevant.data):
            digest.update(np.ascontiguousarray(array).tobytes())
    digest.update(np.ascontiguousarray(shown.ranked).tobytes())
    return digest.hexdigest()[:16]


def _question_side(
    model: SentenceTransformer, shown: Lesson, hidden: Lesson, settings: Settings
) -> _Exercise:
    frozen = shown.frozen
    adapter = train_adapter(frozen.queries, frozen.passages, shown.relevant, settings.adapter, settings.seed)
    corpus = adapter.passages(frozen.passages)
    judge = HeldOutRanking(
        hidden.questions, hidden.relevant, lambda _, vectors: adapter.queries(vectors) @ corpus.T
    )
    loss = CorpusSoftmax(model, adapter.query, corpus, shown.relevant, settings.finetune.scale)
    return {"question": shown.questions, "label": range(len(shown.questions))}, loss, judge


def _both_sides(model: SentenceTransformer, shown: Lesson, hidden: Lesson, settings: Settings) -> _Exercise:
    if settings.finetune.head:
        widen(model, settings.finetune.head, settings.seed)
    # The whole corpus would take minutes an epoch: what is relevant, among some that is not, tells enough.
    others = np.random.default_rng(settings.seed).permutation(len(hidden.passages))[:POOL]
    pool = np.union1d(hidden.relevant.indices, others)
    texts = [hidden.passages[column] for column in pool.tolist()]
    judge = HeldOutRanking(
        hidden.questions,
        sparse.csr_array(hidden.relevant[:, pool]),
        lambda taught, vectors: vectors @ taught.encode(texts, normalize_embeddings=True).T,
    )
    pairs = _pairs(shown, settings.finetune.negatives, settings.seed)
    return pairs, contrastive_loss(model, settings.finetune), judge


def _pairs(lesson: Lesson, negatives: int, seed: int) -> dict[str, list[str]]:
    """Return one row a relevant passage: question, passage, mined negatives; none for want of negatives."""
    drawn = mine_negatives(lesson.ranked, lesson.relevant, lesson.frozen.passages, negatives, seed)
    rows = np.repeat(np.arange(len(lesson.questions)), np.diff(lesson.relevant.indptr))
    kept = (drawn[rows] >= 0).all(axis=1)
    rows, relevant = rows[kept], lesson.relevant.indices[kept]
    columns = {
        "question": [lesson.questions[row] for row in rows.tolist()],
        "relevant": [lesson.passages[column] for column in relevant.tolist()],
    }
    for place in range(negatives):
        columns[f"negative_{place}"] = [lesson.passages[column] for column in drawn[rows, place].tolist()]
    return columns
