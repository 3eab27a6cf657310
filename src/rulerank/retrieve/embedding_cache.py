"""Embeddings kept on disk by content."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track

from rulerank.arrays import FloatArray
from rulerank.files import replacing
from rulerank.retrieve.encoder import Encoder


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
