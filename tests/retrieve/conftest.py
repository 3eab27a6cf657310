from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

WORDS = ["[UNK]", "[CLS]", "pilot", "fee", "tug", "규정", "查询", "must"]


@pytest.fixture
def write_encoder(tmp_path: Path) -> Callable[..., Path]:
    """Write an encoder that sums one random vector of 4 numbers per word, weighted by its place."""

    def write(name: str = "encoder", seed: int = 0, **changes: object) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        table = np.random.default_rng(seed).normal(size=(len(WORDS), 4)).astype(np.float32)
        onnx.save(_model(table), folder / "model.onnx")
        tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(WORDS)}, "[UNK]"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A", special_tokens=[("[CLS]", 1)])
        # Published tokenizers often have this; the encoder must pad and cut by its own rule.
        tokenizer.enable_padding(length=12)
        tokenizer.save(str(folder / "tokenizer.json"))
        description = {
            "prefixes": {"query": "", "passage": ""},
            "batch_size": 2,
            "max_tokens": 16,
            "precision": "fp32",
            **changes,
        }
        (folder / "encoder.json").write_text(json.dumps(description))
        return folder

    return write


def _model(table: np.ndarray) -> onnx.ModelProto:
    """tokens = mask_i (1 + i) table[t] of token t at place i, vector = their sum: padding and order show."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["words"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("CumSum", ["mask", "one"], ["places"]),
        helper.make_node("Mul", ["mask", "places"], ["weights"]),
        helper.make_node("Unsqueeze", ["weights", "two"], ["column"]),
        helper.make_node("Mul", ["words", "column"], ["tokens"]),
        helper.make_node("ReduceSum", ["tokens", "one_axis"], ["vector"], keepdims=0),
    ]
    constants = {
        "table": table,
        "one": np.array(1, np.int64),
        "two": np.array([2], np.int64),
        "one_axis": np.array([1], np.int64),
    }
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    outputs = [
        helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["texts", table.shape[1]]),
        helper.make_tensor_value_info("tokens", TensorProto.FLOAT, ["texts", "places", table.shape[1]]),
    ]
    initialisers = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph(nodes, "words", inputs, outputs, initialisers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    return model
