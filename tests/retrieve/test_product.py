"""Products of integers, and rounding to them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from rulerank.retrieve.product import (
    ASKED_STEPS,
    PRODUCT,
    PRODUCT_OF_ROWS,
    STEPS,
    product_by,
    product_of_rows,
    quantize_rows,
    with_initializer,
)

SIZES = st.integers(1, 40)


@given(st.integers(0, 2**32 - 1), SIZES, SIZES, SIZES)
def test_product_is_exact(seed: int, rows: int, width: int, columns: int) -> None:
    generator = np.random.default_rng(seed)
    unsigned = generator.integers(0, 256, (rows, width), np.uint8)
    signed = generator.integers(-ASKED_STEPS, ASKED_STEPS + 1, (width, columns), np.int8)
    made = product_by(signed)(unsigned)
    assert made.dtype == np.int32
    np.testing.assert_array_equal(made, unsigned.astype(np.int64) @ signed.astype(np.int64))


@given(st.integers(0, 2**32 - 1), SIZES, SIZES, SIZES)
def test_product_of_rows_is_exact(seed: int, rows: int, width: int, columns: int) -> None:
    generator = np.random.default_rng(seed)
    steps = generator.integers(-ASKED_STEPS, ASKED_STEPS + 1, (rows, width)).astype(np.float32)
    signed = generator.integers(-STEPS, STEPS + 1, (columns, width), np.int8)
    made = product_of_rows(steps, signed)
    assert made.dtype == np.int32
    np.testing.assert_array_equal(made, steps.astype(np.int64) @ signed.astype(np.int64).T)


@pytest.mark.parametrize("width", [1, 2, 64, 384])
def test_greatest_numbers_do_not_overflow(width: int) -> None:
    highest = np.full((3, width), 255, np.uint8)
    for step in (ASKED_STEPS, -ASKED_STEPS):
        assert (product_by(np.full((width, 5), step, np.int8))(highest) == 255 * step * width).all()
        asked, codes = np.full((3, width), step, np.float32), np.full((5, width), STEPS, np.int8)
        assert (product_of_rows(asked, codes) == step * STEPS * width).all()


def test_rows_are_whole_numbers_of_steps_of_their_widest_element() -> None:
    steps, widths = quantize_rows(np.array([[0.5, -1, 0.24], [0, 0, 0], [3, 4.5, 6]], np.float32), 4)
    assert steps.tolist() == [[2, -4, 1], [0, 0, 0], [2, 3, 4]]
    assert widths.tolist() == [0.25, 1, 1.5]


def test_graph_multiplies_by_what_is_appended() -> None:
    multiplied = helper.make_node("MatMulInteger", ["unsigned", "signed"], ["products"])
    given_ones = [_values("unsigned", TensorProto.UINT8, "rows", "width")]
    model = _model("product", [multiplied], given_ones)
    assert onnx.load(PRODUCT) == model
    in_memory = onnx.StringStringEntryProto(key="location", value="memory")
    matrix = onnx.TensorProto(
        name="signed",
        dims=[384, 70_000],
        data_type=TensorProto.INT8,
        data_location=TensorProto.EXTERNAL,
        external_data=[in_memory],
    )
    model.graph.initializer.append(matrix)
    whole_graph = PRODUCT.read_bytes() + with_initializer("signed", (384, 70_000))
    assert onnx.load_from_string(whole_graph) == model


def test_graph_of_rows_turns_the_second_matrix_first() -> None:
    given_ones = [_values("unsigned", TensorProto.UINT8, "rows", "width"), _values("zero", TensorProto.UINT8)]
    given_ones.append(_values("signed", TensorProto.INT8, "columns", "width"))
    turned = helper.make_node("Transpose", ["signed"], ["turned"], perm=[1, 0])
    multiplied = helper.make_node("MatMulInteger", ["unsigned", "turned", "zero"], ["products"])
    assert onnx.load(PRODUCT_OF_ROWS) == _model("product_of_rows", [turned, multiplied], given_ones)


def _values(name: str, kind: int, *sizes: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, list(sizes))


def _model(name: str, nodes: list[onnx.NodeProto], given_ones: list[onnx.ValueInfoProto]) -> onnx.ModelProto:
    made = [_values("products", TensorProto.INT32, "rows", "columns")]
    graph = helper.make_graph(nodes, name, given_ones, made)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
