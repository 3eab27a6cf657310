"""A sentence encoder as ONNX: texts in, one vector each or one a token."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from rulerank.arrays import FloatArray, IntArray, normalise_rows
from rulerank.errors import InputError
from rulerank.files import read_json, sha256
from rulerank.retrieve.tokens import Tokens

MODEL, TOKENIZER, DESCRIPTION = "model.onnx", "tokenizer.json", "encoder.json"


class Encoder:
    """A sentence encoder on disk: `model.onnx`, `tokenizer.json` and `encoder.json`.

    The same files embed the passages, the training queries and the questions of a running service, so
    that their vectors agree.

    Parameters
    ----------
    folder : Path
        Where the three files are.
    threads : int, optional (default=1)
        Threads of the inference session.

    """

    def __init__(self, folder: Path, threads: int = 1) -> None:
        for name in (MODEL, TOKENIZER, DESCRIPTION):
            if not (folder / name).is_file():
                raise InputError(
                    folder / name, "expected a file of the encoder, found none. Run `dvc repro`."
                )
        description = read_json(folder / DESCRIPTION)
        self.prefixes: Mapping[str, str] = description["prefixes"]
        self.batch_size: int = description["batch_size"]
        self.fingerprint = hashlib.sha256(
            (sha256(folder / MODEL) + sha256(folder / TOKENIZER) + str(description["max_tokens"])).encode()
        ).hexdigest()
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
        self._tokenizer.enable_truncation(description["max_tokens"])
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self._session = onnxruntime.InferenceSession(
            str(folder / MODEL), options, providers=["CPUExecutionProvider"]
        )
        self.dimension: int = self._session.get_outputs()[0].shape[-1]
        self.token_dimension: int = self._session.get_outputs()[1].shape[-1]

    def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
        """Embed texts.

        Parameters
        ----------
        texts : sequence of str
            Texts of any script; what exceeds `max_tokens` is cut.
        kind : {"query", "passage"}
            Which prefix goes before each text.

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
            Of width `token_dimension`; every text has two tokens at least.

        """
        found: dict[int, FloatArray] = {}
        for batch, lengths, output in self._run(texts, kind, "tokens"):
            found.update(zip(batch.tolist(), map(_first, output, lengths), strict=True))
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum([len(found[row]) for row in range(len(texts))], out=starts[1:])
        vectors = np.empty((starts[-1], self.token_dimension), np.float16)
        for row in range(len(texts)):
            vectors[starts[row] : starts[row + 1]] = normalise_rows(found[row])
        return Tokens(vectors, starts)

    def _run(
        self, texts: Sequence[str], kind: str, output: str
    ) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """Yield rows, their lengths in tokens and one output of the model, batch by batch."""
        encodings = self._tokenizer.encode_batch([self.prefixes[kind] + text for text in texts])
        lengths = np.array([len(encoding.ids) for encoding in encodings], np.int64)
        # Texts of like length share a batch, so that little of it is padding.
        order = np.argsort(lengths, kind="stable")
        for start in range(0, len(order), self.batch_size):
            batch = order[start : start + self.batch_size]
            shape = (len(batch), lengths[batch].max())
            ids, mask = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
            for place, row in enumerate(batch):
                ids[place, : lengths[row]] = encodings[row].ids
                mask[place, : lengths[row]] = 1
            (found,) = self._session.run([output], {"input_ids": ids, "attention_mask": mask})
            yield batch, lengths[batch], found


def _first(vectors: FloatArray, length: int) -> FloatArray:
    return vectors[:length].copy()
