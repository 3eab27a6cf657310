from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from rulerank.bundle import Bundle
from rulerank.bundle.golden import check_questions
from rulerank.errors import BundleError
from rulerank.ranker import Ranker


def _turned(bundle: Bundle, cosine: float, first: int = 0) -> Callable[..., np.ndarray]:
    """Return an encoder's function whose vectors, from the first on, have this cosine with its own."""
    encode = bundle.encoder.encode

    def turned(texts: Sequence[str], kind: str) -> np.ndarray:
        vectors = encode(texts, kind)
        aside = np.random.default_rng(0).standard_normal(vectors.shape)
        aside -= (aside * vectors).sum(axis=1, keepdims=True) * vectors
        aside /= np.linalg.norm(aside, axis=1, keepdims=True)
        vectors[first:] = (cosine * vectors + np.sqrt(1 - cosine**2) * aside)[first:]
        return vectors

    return turned


@pytest.mark.parametrize(
    ("precision", "cosine", "refused"),
    [
        ("fp32", 1, False),
        ("fp32", 0.99, True),
        ("int8", 0.995, False),
        ("int8", 0.98, True),
        ("int8", np.nan, True),
    ],
)
def test_another_processor_may_round_the_golden_questions_otherwise(
    ranker: Ranker,
    bundle: Path,
    monkeypatch: pytest.MonkeyPatch,
    precision: str,
    cosine: float,
    refused: bool,
) -> None:
    monkeypatch.setattr(ranker.bundle.encoder, "precision", precision)
    monkeypatch.setattr(ranker.bundle.encoder, "encode", _turned(ranker.bundle, cosine))
    if not refused:
        check_questions(ranker.bundle, bundle)
        return
    with pytest.raises(BundleError, match=r"encoder: expected the encoder to give .* cosine of at least"):
        check_questions(ranker.bundle, bundle)


def test_one_question_with_another_vector_is_not_hidden_by_the_others(
    ranker: Ranker, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranker.bundle.encoder, "precision", "int8")
    monkeypatch.setattr(ranker.bundle.encoder, "encode", _turned(ranker.bundle, 0.9, first=-1))
    with pytest.raises(
        BundleError, match=r"expected the encoder to give every golden question .* found 0\.95"
    ):
        check_questions(ranker.bundle, bundle)


def test_encoder_that_cuts_questions_elsewhere_is_refused(
    ranker: Ranker, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = ranker.bundle.token_encoder.tokens
    monkeypatch.setattr(
        ranker.bundle.token_encoder,
        "tokens",
        lambda texts, kind: tokens([f"{text} harbour" for text in texts], kind),
    )
    with pytest.raises(BundleError, match=r"expected the golden questions to have as many tokens"):
        check_questions(ranker.bundle, bundle)
