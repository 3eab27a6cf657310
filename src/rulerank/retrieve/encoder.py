"""A sentence encoder as ONNX: texts in, one vector per text or one per token out."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from rulerank.arrays import FloatArray, IntArray, normalise_rows
from rulerank.errors import InputError, RulerankError, SettingsError
from rulerank.files import read_json, sha256
from rulerank.retrieve.tokens import Tokens
from rulerank.settings import Device

MODEL, TOKENIZER, DESCRIPTION = "model.onnx", "tokenizer.json", "encoder.json"

WEIGHTS = "weights.bin"
"""Where the model keeps its weights, unless they are in the model file itself."""

Precision = Literal["fp32", "int8"]

CPU, CUDA = "CPUExecutionProvider", "CUDAExecutionProvider"


class Encoder:
    """A sentence encoder on disk: `model.onnx` with its `weights.bin`, `tokenizer.json` and `encoder.json`.

    The same files embed the passages, the training questions and the questions of a running service, so
    their vectors agree. On a CPU they agree to the last bit, whatever is embedded together: there, every text
    is its own batch, which takes little more time.

    Parameters
    ----------
    folder : Path
        The folder of these files.
    threads : int, optional (default=1)
        Texts embedded at the same time on a CPU. Each uses one thread, so vectors do not depend on this
        number.
    device : {"cpu", "cuda", "auto"}, optional (default="cpu")
        Where the model runs; "auto" uses the GPU if onnxruntime can use one.

    Raises
    ------
    InputError
        One of the files is missing.
    SettingsError
        `device` is "cuda" and onnxruntime cannot use a GPU.

    """

    def __init__(self, folder: Path, threads: int = 1, device: Device = "cpu") -> None:
        for name in (MODEL, TOKENIZER, DESCRIPTION):
            if not (folder / name).is_file():
                raise InputError(
                    folder / name, "expected a file of the encoder, found none. Run `dvc repro`."
                )
        description = _description(folder / DESCRIPTION)
        self.prefixes: Mapping[str, str] = description["prefixes"]
        self.batch_size: int = description["batch_size"]
        self.precision: Precision = description["precision"]
        self._folder = folder
        self._max_tokens: int = description["max_tokens"]
        with _readable(folder / TOKENIZER):
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
            self._tokenizer.enable_truncation(self._max_tokens)
            self._tokenizer.no_padding()
        with _readable(folder / MODEL):
            self._session = _session(folder / MODEL, device)
        self._on_cpu = CUDA not in self._session.get_providers()
        self._threads = threads if self._on_cpu else 1
        self.dimension: int = self._session.get_outputs()[0].shape[-1]
        self.token_dimension: int = self._session.get_outputs()[1].shape[-1]

    @cached_property
    def fingerprint(self) -> str:
        """What the vectors depend on (model, tokenizer, and where texts are cut), as a hexadecimal hash."""
        files = [each for name in (MODEL, WEIGHTS, TOKENIZER) if (each := self._folder / name).is_file()]
        hashes = "".join(map(sha256, files))
        return hashlib.sha256((hashes + str(self._max_tokens)).encode()).hexdigest()

    def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
        """Embed texts.

        Parameters
        ----------
        texts : sequence of str
            Texts in any script; tokens beyond `max_tokens` are cut.
        kind : {"query", "passage"}
            Decides the prefix of each text.

        Returns
        -------
        array of shape (texts, dimension), float32
            Rows of unit length.

        """
        vectors = np.empty((len(texts), self.dimension), np.float32)
        for batch, _, output in self._run(texts, kind, "vector"):
            vectors[batch] = output
        return normalise_rows(vectors)

    def tokens(self, texts: Sequence[str], kind: str) -> Tokens:
        """Embed texts token by token, special tokens included.

        Parameters
        ----------
        texts, kind
            As for `encode`.

        Returns
        -------
        Tokens
            Of width `token_dimension`; every text has at least two tokens.

        """
        parts: dict[int, FloatArray] = {}
        for batch, lengths, output in self._run(texts, kind, "tokens"):
            parts.update(zip(batch.tolist(), map(_first, output, lengths), strict=True))
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(parts[row]) for row in range(len(texts))], out=starts[1:])
        vectors = np.empty((starts[-1], self.token_dimension), np.float16)
        for row in range(len(texts)):
            vectors[starts[row] : starts[row + 1]] = normalise_rows(parts[row])
        return Tokens(vectors, starts)

    def _run(
        self, texts: Sequence[str], kind: str, output: str
    ) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """Yield rows, their lengths in tokens and one output of the model, batch by batch."""
        encodings = self._tokenizer.encode_batch([self.prefixes[kind] + text for text in texts])
        lengths = np.array([len(encoding.ids) for encoding in encodings], np.int64)

        def run(batch: IntArray) -> tuple[IntArray, IntArray, FloatArray]:
            shape = (len(batch), lengths[batch].max())
            ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            for place, row in enumerate(batch):
                ids[place, : lengths[row]] = encodings[row].ids
                mask[place, : lengths[row]] = 1
            (computed,) = self._session.run([output], {"input_ids": ids, "attention_mask": mask})
            return batch, lengths[batch], computed

        batches = list(self._batches(lengths))
        if min(self._threads, len(batches)) < 2:
            yield from map(run, batches)
            return
        with ThreadPoolExecutor(self._threads) as executor:
            yield from executor.map(run, batches)

    def _batches(self, lengths: IntArray) -> Iterator[IntArray]:
        """Yield the rows of each batch; on a GPU texts of similar length, to keep padding small."""
        order = np.argsort(lengths, kind="stable")
        size = 1 if self._on_cpu else self.batch_size
        for start in range(0, len(order), size):
            yield order[start : start + size]


def _description(path: Path) -> dict[str, Any]:
    """Read the description of an encoder."""
    said = read_json(path)
    numbers = {"batch_size", "max_tokens"}
    if (
        not isinstance(said, dict)
        or not numbers <= {name for name, value in said.items() if type(value) is int and value > 0}
        or said.get("precision") not in get_args(Precision)
        or not isinstance(said.get("prefixes"), dict)
        or not all(isinstance(said["prefixes"].get(kind), str) for kind in ("query", "passage"))
    ):
        raise InputError(
            path,
            "expected max_tokens and batch_size, whole numbers above 0, a precision, and prefixes for query "
            "and passage, found others. Run `dvc repro`.",
        )
    return said


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn what tokenizers and onnxruntime raise on a damaged file into an error that names the file."""
    try:
        yield
    except RulerankError:
        raise
    except Exception as error:
        said = str(error).strip().split("\n")[0][:200].rstrip(".")
        raise InputError(path, f"expected a whole file, found damage: {said}. Copy it again.") from error


def _session(model: Path, device: Device) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    providers: list[Any] = [CPU]
    if device != "cpu" and CUDA in onnxruntime.get_available_providers():
        if hasattr(onnxruntime, "preload_dlls"):
            # CUDA may come from pip's packages alone; only PyTorch and this call look for it among them.
            with redirect_stdout(sys.stderr):
                onnxruntime.preload_dlls()
        options.log_severity_level = 3  # errors: every session warns about the one copy between GPU and CPU
        # TF32 would round the passages more coarsely than a service on a CPU rounds the questions.
        providers = [(CUDA, {"use_tf32": "0"}), CPU]
    session = onnxruntime.InferenceSession(str(model), options, providers=providers)
    if device == "cuda" and CUDA not in session.get_providers():
        raise SettingsError(
            "device: expected an onnxruntime that can use a GPU for `cuda`, found "
            f"{', '.join(session.get_providers())}. Install onnxruntime-gpu in place of onnxruntime, "
            "and the CUDA that it was built for, or set device: auto."
        )
    return session


def _first(vectors: FloatArray, length: int) -> FloatArray:
    return vectors[:length].copy()
