"""A graph of one product, quantized."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from rulerank.learn.encoder.quantize import BLOCK, quantize

WIDTH, COLUMNS = 2 * BLOCK, 16


def _product(folder: Path, weights: NDArray[np.float32]) -> Path:
    """Write a graph that multiplies activations of two blocks by weights."""
    node = helper.make_node("MatMul", ["x", "weights"], ["y"])
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["rows", None]) for name in ("x", "y")]
    graph = helper.make_graph(
        [node], "product", ends[:1], ends[1:], [numpy_helper.from_array(weights, "weights")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save_model(model, folder / "model.onnx")
    return folder / "model.onnx"


@pytest.fixture
def weights() -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal((WIDTH, COLUMNS)).astype(np.float32)


def _run(model: Path, x: NDArray[np.float32]) -> NDArray[np.float32]:
    (found,) = onnxruntime.InferenceSession(str(model)).run(None, {"x": x})
    return np.asarray(found)


def test_weights_and_activations_have_8_bits_and_a_scale_per_block(
    tmp_path: Path, weights: NDArray[np.float32]
) -> None:
    model = _product(tmp_path, weights)
    quantize(model)
    (node,) = onnx.load(model).graph.node
    stated = {each.name: each.i for each in node.attribute}
    assert node.op_type == "MatMulNBits"
    assert (stated["bits"], stated["block_size"], stated["accuracy_level"]) == (8, 64, 4)
    assert (stated["K"], stated["N"]) == (WIDTH, COLUMNS)


def test_products_are_near_the_exact_ones(tmp_path: Path, weights: NDArray[np.float32]) -> None:
    x = np.random.default_rng(1).standard_normal((5, WIDTH)).astype(np.float32)
    model = _product(tmp_path, weights)
    quantize(model)
    found, exact = _run(model, x), x @ weights
    assert np.abs(found - exact).max() < 0.02 * np.linalg.norm(exact, axis=1).max()


def test_a_large_activation_coarsens_only_its_own_block(tmp_path: Path, weights: NDArray[np.float32]) -> None:
    weights[:BLOCK] = 0
    x = np.random.default_rng(1).standard_normal((3, WIDTH)).astype(np.float32)
    model = _product(tmp_path, weights)
    quantize(model)
    before = _run(model, x)
    x[:, 0] = 1e4
    np.testing.assert_array_equal(_run(model, x), before)


def test_the_log_of_the_process_stays_as_it_was(tmp_path: Path, weights: NDArray[np.float32]) -> None:
    script = (
        "import logging, sys; from pathlib import Path; "
        "from rulerank.learn.encoder.quantize import quantize; "
        "quantize(Path(sys.argv[1])); print(logging.getLogger().handlers, logging.getLogger().level)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, str(_product(tmp_path, weights))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == ("[] 30\n", "")
