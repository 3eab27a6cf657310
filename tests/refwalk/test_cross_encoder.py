from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch

from rulerank.errors import InputError, SettingsError
from rulerank.refwalk.cross_encoder import CrossEncoderScorer

TEXTS = pl.Series(
    ["The pilot must keep a log.", "Fees are due in June.", "The tug must show lights.", "Pay."]
)
QUESTION = "Who keeps a log?"


@pytest.fixture(scope="session")
def write_cross_encoder(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory):
    """Save a cross-encoder with random weights and the tokenizer of the tiny encoder."""
    import torch
    from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

    def write(labels: int) -> Path:
        folder = tmp_path_factory.mktemp("cross") / "model"
        tokenizer = AutoTokenizer.from_pretrained(tiny_encoder)
        config = BertConfig(
            vocab_size=len(tokenizer),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
            max_position_embeddings=64,
            num_labels=labels,
            # A wide range, so two texts never score the same.
            initializer_range=1.0,
        )
        torch.manual_seed(3)
        BertForSequenceClassification(config).save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        return folder

    return write


@pytest.fixture(scope="session")
def scorer(write_cross_encoder) -> CrossEncoderScorer:
    return CrossEncoderScorer(str(write_cross_encoder(1)), TEXTS, batch_size=2, device="cpu")


def test_scores_are_those_of_the_model(scorer: CrossEncoderScorer, write_cross_encoder) -> None:
    from sentence_transformers import CrossEncoder

    model = CrossEncoder(str(write_cross_encoder(1)), device="cpu")
    expected = model.predict([(QUESTION, text) for text in TEXTS], show_progress_bar=False)
    scores = scorer(QUESTION, np.arange(4))
    assert scores.dtype == np.float32
    assert scores == pytest.approx(expected, abs=1e-6)
    assert len(set(scores.tolist())) == 4


def test_passages_are_scored_each_by_itself(scorer: CrossEncoderScorer) -> None:
    together = scorer(QUESTION, np.arange(4))
    assert scorer(QUESTION, np.array([3, 1])) == pytest.approx(together[[3, 1]], abs=1e-6)


def test_no_passages_have_no_scores(scorer: CrossEncoderScorer) -> None:
    assert scorer(QUESTION, np.empty(0, np.int64)).shape == (0,)


def test_model_with_several_labels_is_refused(write_cross_encoder) -> None:
    with pytest.raises(InputError, match="expected a model with one score per pair, found 3 labels"):
        CrossEncoderScorer(str(write_cross_encoder(3)), TEXTS)


def test_folder_without_a_model_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match="expected a cross-encoder, by hub name or folder"):
        CrossEncoderScorer(str(tmp_path), TEXTS)


def test_gpu_that_is_not_there_is_an_error_where_it_is_demanded(
    write_cross_encoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    with pytest.raises(SettingsError, match="device: expected a GPU"):
        CrossEncoderScorer(str(write_cross_encoder(1)), TEXTS, device="cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_gpu_scores_as_the_cpu_does(write_cross_encoder, scorer: CrossEncoderScorer) -> None:
    on_gpu = CrossEncoderScorer(str(write_cross_encoder(1)), TEXTS, device="cuda")
    assert on_gpu(QUESTION, np.arange(4)) == pytest.approx(scorer(QUESTION, np.arange(4)), abs=1e-4)
