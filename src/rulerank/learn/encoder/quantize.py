"""An exported encoder in 8-bit integers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic

from rulerank.files import replacing

OPERATIONS = ("MatMul", "Gemm", "Gather")
"""Products with weights, and the table of token embeddings, which is half of a small model's bytes."""


def quantize(model: Path) -> None:
    """Replace the weights of an exported encoder with 7-bit integers stored in 8 bits, one scale per output.

    Activations are quantized at run time, by the range of the whole input (the affine scheme of Jacob et al.
    2018, equation 1). The texts of a batch would share that range, so the vector of each would depend on the
    others. Such a model must therefore be given one text at a time.

    Parameters
    ----------
    model : Path
        The file `model.onnx` that `export_encoder` wrote.

    """
    # Signed weights use the fast instructions of every x86 processor. They have 7 bits because the sum of two
    # 8-bit products exceeds the 16 bits in which a processor without VNNI adds them up.
    with replacing(model) as temporary, _quietly():
        quantize_dynamic(
            model,
            temporary,
            op_types_to_quantize=list(OPERATIONS),
            per_channel=True,
            weight_type=QuantType.QInt8,
            reduce_range=True,
        )


@contextmanager
def _quietly() -> Iterator[None]:
    """Silence the advice to infer shapes beforehand, which fails on a model with free dimensions."""
    root, level = logging.getLogger(), logging.getLogger().level
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(level)
