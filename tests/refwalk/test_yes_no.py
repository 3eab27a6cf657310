from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch
from tokenizers import Regex, Tokenizer, pre_tokenizers
from tokenizers.models import WordLevel
from transformers import AutoModelForCausalLM, PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from rulerank.refwalk.cross_encoder import CrossEncoderScorer
from rulerank.refwalk.yes_no import TEMPLATE

TEXTS = pl.Series(["The pilot must keep a log.", "Fees are due in June.", "The tug must show its lights."])
QUESTION = "Who keeps a log?"


@pytest.fixture(scope="module")
def reranker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal language model of one layer with random weights, whose vocabulary the test gives."""
    folder = tmp_path_factory.mktemp("reranker")
    splitter = pre_tokenizers.Split(Regex(r"\w+|[^\w\s]|\n"), "removed", invert=True)
    said = [TEMPLATE, QUESTION, *TEXTS, "yes no"]
    words = {word for text in said for word, _ in splitter.pre_tokenize_str(text)}
    vocabulary = {word: place for place, word in enumerate(["<pad>", "<unk>", *sorted(words)])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = splitter
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", unk_token="<unk>", eos_token="<pad>"
    ).save_pretrained(folder)
    torch.manual_seed(5)
    config = Qwen3Config(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        head_dim=8,
        max_position_embeddings=256,
        initializer_range=1.0,
        pad_token_id=0,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder)
    return folder


def _expected(folder: Path, passage: str) -> float:
    """Write the prompt out, and take the softmax of "yes" over "yes" and "no" as the next word."""
    prompt = (
        "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and the "
        'Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n<|im_start|>user\n'
        "<Instruct>: Given a question about regulations, retrieve the provisions that it must be answered "
        f"from\n<Query>: {QUESTION}\n<Document>: {passage}<|im_end|>\n<|im_start|>assistant\n"
        "<think>\n\n</think>\n\n"
    )
    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder).eval()
    with torch.no_grad():
        last = model(**tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)).logits[0, -1]
    pair = last[tokenizer.convert_tokens_to_ids(["yes", "no"])]
    return float(torch.softmax(pair, 0)[0])


def test_scores_are_the_probabilities_of_yes(reranker: Path) -> None:
    scores = CrossEncoderScorer(str(reranker), TEXTS, batch_size=2, device="cpu")(QUESTION, np.arange(3))
    assert scores == pytest.approx([_expected(reranker, text) for text in TEXTS], abs=1e-5)
    assert len(set(scores.tolist())) == 3
