"""An exported encoder in integers of 8 bits."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic

from rulerank.files import replacing

OPERATIONS = ("MatMul", "Gemm", "Gather")
"""Products of weights, and the table of token embeddings, which is half of a small model's bytes."""


def quantize(model: Path) -> None:
    """Replace the weights of an exported encoder by integers of 7 bits in 8, one scale for each output.

    Activations are quantized as they come, by the range of the whole input (the affine scheme of Jacob et
    al. 2018, equation 1). The texts of a batch would share that range, so that the vector of each would
    depend on the others: such a model must be given one text at a time.

    Parameters
    ----------
    model : Path
        What `export_encoder` wrote, `model.onnx`.

    """
    # Signed weights take the fast instructions of every x86 processor. Of 7 bits, since two products of 8 are
    # more than the 16 bits hold in which a processor without VNNI adds them up.
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
    """Leave out the advice to infer shapes beforehand, which fails on a model with free dimensions."""
    root, level = logging.getLogger(), logging.getLogger().level
    root.setLevel(logging.ERROR)
    try:
        yield
    finally:
        root.setLevel(level)
