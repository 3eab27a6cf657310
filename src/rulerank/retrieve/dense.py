"""Dense retrieval: a sentence encoder as ONNX, its embeddings cached by content, and a linear adapter."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import onnxruntime
from rich.progress import track
from tokenizers import Tokenizer

from rulerank.arrays import FloatArray, IntArray, normalise_rows
from rulerank.errors import InputError
from rulerank.files import read_json, replacing, sha256
from rulerank.retrieve.latent import LatentSpace
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


class EmbeddingCache:
    """Embeddings kept on disk by content: a text is encoded once, an interrupted run goes on where it was.

    Parameters
    ----------
    folder : Path
        Holds one folder an encoder, in it shards of (keys, vectors).
    encoder : Encoder
        Encodes what is not there yet.
    shard : int, optional (default=512)
        Texts encoded between two writes.

    """

    def __init__(self, folder: Path, encoder: Encoder, shard: int = 512) -> None:
        self._folder = folder / encoder.fingerprint[:16]
        self._encoder = encoder
        self._shard = shard

    def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
        """Embed texts as `Encoder.encode` does, shape (texts, dimension)."""
        prefix = self._encoder.prefixes[kind]
        keys = [hashlib.sha256(f"{kind}\0{prefix}{text}".encode()).hexdigest() for text in texts]
        known = self._read()
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        todo = sorted(missing, key=lambda key: (len(missing[key]), key))
        starts = range(0, len(todo), self._shard)
        for start in track(starts, f"encoding {len(todo)} texts", disable=not (todo and sys.stderr.isatty())):
            shard = todo[start : start + self._shard]
            vectors = self._encoder.encode([missing[key] for key in shard], kind)
            self._write(shard, vectors)
            known.update(zip(shard, vectors, strict=True))
        if not texts:
            return np.empty((0, self._encoder.dimension), np.float32)
        return np.stack([known[key] for key in keys])

    def _read(self) -> dict[str, FloatArray]:
        known: dict[str, FloatArray] = {}
        for path in sorted(self._folder.glob("*.npz")):
            with np.load(path) as stored:
                known.update(zip(stored["keys"].tolist(), stored["vectors"], strict=True))
        return known

    def _write(self, keys: Sequence[str], vectors: FloatArray) -> None:
        name = hashlib.sha256("".join(keys).encode()).hexdigest()[:16]
        with replacing(self._folder / f"{name}.npz") as temporary, temporary.open("wb") as stream:
            np.savez(stream, keys=np.array(keys), vectors=vectors)


@dataclass(frozen=True, eq=False)
class Adapter:
    """Residual linear maps on both sides of a frozen encoder: q' = norm(q + q W), p' = norm(p + p V).

    Parameters
    ----------
    query, passage : arrays of shape (dimension, dimension)
        W and V.

    """

    query: FloatArray
    passage: FloatArray

    def queries(self, vectors: FloatArray) -> FloatArray:
        """Map query embeddings, shape (queries, dimension)."""
        return normalise_rows(vectors + vectors @ self.query)

    def passages(self, vectors: FloatArray) -> FloatArray:
        """Map passage embeddings, shape (passages, dimension)."""
        return normalise_rows(vectors + vectors @ self.passage)


@dataclass(frozen=True, eq=False)
class DenseIndex:
    """The passages as their encoder sees them and as the adapter does.

    Parameters
    ----------
    passages : array of shape (passages, dimension)
        Their embeddings before the adapter, unit length.
    adapter : Adapter
        Trained on judgements; training queries get one that has not seen them.
    latent : LatentSpace, optional
        Whose vectors stand beside the encoder's in every embedding.

    """

    passages: FloatArray
    adapter: Adapter
    latent: LatentSpace | None = None

    @cached_property
    def adapted(self) -> FloatArray:
        """The adapted passages, shape (passages, dimension)."""
        return self.adapter.passages(self.passages)

    def scores(self, queries: FloatArray) -> FloatArray:
        """Return the cosine of every adapted query and passage, shape (queries, passages)."""
        cosines: FloatArray = self.adapter.queries(queries) @ self.adapted.T
        return cosines
