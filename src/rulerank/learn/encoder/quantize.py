"""An exported encoder whose matrix products are in 8-bit integers."""

from __future__ import annotations

import logging
from pathlib import Path
from types import ModuleType

import onnx

from rulerank.files import replacing

BITS = 8

BLOCK = 64
"""Numbers that share a scale. The fewer they are, the smaller the loss, and the longer each product takes."""

ROUNDED_ACTIVATIONS = 4
"""The `accuracy_level` of MatMulNBits at which activations are also rounded to 8 bits, in the same blocks."""


def quantize(model: Path) -> None:
    """Replace the weights of every MatMul of an exported encoder with 8-bit integers and a scale per block.

    Activations are quantized at run time, token by token and block by block (onnxruntime's MatMulNBits), so
    the vector of a text does not depend on the texts beside it. A large activation coarsens only its own
    block. With one scale per matrix it would coarsen the whole text (Dettmers et al. 2022, section 2). A GPU,
    or a processor without instructions for such products, may leave activations as they are. Embedding tables
    stay in 32 bits: a few rows are read per text, from a mapped file.

    Parameters
    ----------
    model : Path
        The file `model.onnx` that `export_encoder` wrote.

    """
    nbits = _quantizer()
    blocks = nbits.DefaultWeightOnlyQuantConfig(
        block_size=BLOCK, is_symmetric=True, accuracy_level=ROUNDED_ACTIVATIONS, bits=BITS
    )
    quantizer = nbits.MatMulNBitsQuantizer(onnx.load(model), algo_config=blocks)
    quantizer.process()
    with replacing(model) as temporary:
        onnx.save_model(quantizer.model.model, temporary)


def _quantizer() -> ModuleType:
    """Return onnxruntime's quantizer, which sets up the root logger when imported, and logs every node."""
    root, silent = logging.getLogger(), logging.NullHandler()
    root.addHandler(silent)
    try:
        from onnxruntime.quantization import matmul_nbits_quantizer
    finally:
        root.removeHandler(silent)
    matmul_nbits_quantizer.logger.setLevel(logging.ERROR)
    quantizer: ModuleType = matmul_nbits_quantizer
    return quantizer
