"""Embeddings stored on disk by content."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track

from rulerank.arrays import FloatArray
from rulerank.retrieve.content_store import ContentStore, rows_by_content
from rulerank.retrieve.encoder import Encoder


class EmbeddingCache:
    """Embeddings stored on disk by content: each text is encoded once, and an interrupted run resumes.

    Parameters
    ----------
    folder : Path
        Holds one file per encoder.
    encoder : Encoder
        Encodes what is not cached yet.
    shard : int, optional (default=512)
        Texts encoded between two writes.

    """

    def __init__(self, folder: Path, encoder: Encoder, shard: int = 512) -> None:
        self._store = ContentStore(folder / f"{encoder.fingerprint[:16]}.sqlite")
        self._encoder = encoder
        self._shard = shard

    def encode(self, texts: Sequence[str], kind: str) -> FloatArray:
        """Embed texts as `Encoder.encode` does, shape (texts, dimension)."""
        rows = rows_by_content(texts, kind, self._encoder.prefixes[kind])
        vectors = np.empty((len(texts), self._encoder.dimension), np.float32)
        missing = set(rows)
        for key, value in self._store.read(rows):
            vectors[rows[key]] = np.frombuffer(value, np.float32)
            missing.remove(key)
        todo = sorted(missing, key=lambda key: (len(texts[rows[key][0]]), key))
        starts = range(0, len(todo), self._shard)
        for start in track(starts, f"encoding {len(todo)} texts", disable=not (todo and sys.stderr.isatty())):
            shard = todo[start : start + self._shard]
            encoded = self._encoder.encode([texts[rows[key][0]] for key in shard], kind)
            self._store.write([(key, vector.tobytes()) for key, vector in zip(shard, encoded, strict=True)])
            for key, vector in zip(shard, encoded, strict=True):
                vectors[rows[key]] = vector
        return vectors
