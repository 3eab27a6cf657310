"""Products of whole numbers, and rounding to them."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from rulerank.retrieve.product import ASKED_STEPS, PRODUCT, product, whole

SIZES = st.integers(1, 40)


@given(st.integers(0, 2**32 - 1), SIZES, SIZES, SIZES)
def test_product_is_exact(seed: int, rows: int, width: int, columns: int) -> None:
    generator = np.random.default_rng(seed)
    unsigned = generator.integers(0, 256, (rows, width), np.uint8)
    signed = generator.integers(-ASKED_STEPS, ASKED_STEPS + 1, (width, columns), np.int8)
    made = product(unsigned, signed)
    assert made.dtype == np.int32
    np.testing.assert_array_equal(made, unsigned.astype(np.int64) @ signed.astype(np.int64))


@pytest.mark.parametrize("width", [1, 2, 64, 384])
def test_greatest_numbers_do_not_overflow(width: int) -> None:
    highest = np.full((3, width), 255, np.uint8)
    for step in (ASKED_STEPS, -ASKED_STEPS):
        assert (product(highest, np.full((width, 5), step, np.int8)) == 255 * step * width).all()


def test_rows_are_whole_numbers_of_steps_of_their_widest_element() -> None:
    steps, widths = whole(np.array([[0.5, -1, 0.24], [0, 0, 0], [3, 4.5, 6]], np.float32), 4)
    assert steps.tolist() == [[2, -4, 1], [0, 0, 0], [2, 3, 4]]
    assert widths.tolist() == [0.25, 1, 1.5]


def test_graph_is_one_multiplication_of_whole_numbers() -> None:
    values = helper.make_tensor_value_info
    given_ones = [
        values("unsigned", TensorProto.UINT8, ["rows", "width"]),
        values("signed", TensorProto.INT8, ["width", "columns"]),
    ]
    made = [values("products", TensorProto.INT32, ["rows", "columns"])]
    node = helper.make_node("MatMulInteger", ["unsigned", "signed"], ["products"])
    graph = helper.make_graph([node], "product", given_ones, made)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    assert onnx.load(PRODUCT) == model
