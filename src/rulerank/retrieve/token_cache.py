"""Token vectors reduced in width and stored on disk by content."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.progress import track

from rulerank.arrays import FloatArray, bounds
from rulerank.retrieve.content_store import ContentStore, rows_by_content
from rulerank.retrieve.encoder import Encoder
from rulerank.retrieve.tokens import Tokens

SHARD = 512
"""Texts encoded between two writes."""

SAMPLE = 500
"""Texts whose tokens determine the axes."""


def principal_axes(encoder: Encoder, texts: Sequence[str], width: int, seed: int) -> FloatArray:
    """Return the directions in which the tokens of a sample of texts vary most.

    Parameters
    ----------
    encoder : Encoder
        Provides the tokens.
    texts : sequence of str
        Passages.
    width : int
        Maximum number of directions to keep.
    seed : int
        Seed of the sample of `SAMPLE` texts.

    Returns
    -------
    array of shape (dimension of the encoder, width)
        The first right singular vectors, as columns. The sign of each makes its largest entry positive.

    """
    drawn = np.random.default_rng(seed).permutation(len(texts))[:SAMPLE]
    vectors = encoder.tokens([texts[row] for row in np.sort(drawn)], "passage").vectors.astype(np.float64)
    # The eigenvectors of a width x width matrix are far cheaper than a decomposition of all tokens.
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    axes = axes[:, ::-1][:, :width]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    # The last digits depend on the order of addition in threads, and the cache is named by these bytes.
    reduction: FloatArray = np.round(axes * signs, 5).astype(np.float32)
    return reduction


class TokenCache:
    """Reduced tokens stored on disk by content: each text is encoded once, and an interrupted run resumes.

    Parameters
    ----------
    folder : Path
        Holds one file per encoder and reduction.
    encoder : Encoder
        Encodes what is not cached yet.
    axes : array of shape (dimension, width)
        What `principal_axes` returned.

    """

    def __init__(self, folder: Path, encoder: Encoder, axes: FloatArray) -> None:
        axes_hash = hashlib.sha256(np.ascontiguousarray(axes).tobytes()).hexdigest()
        self._store = ContentStore(folder / f"{encoder.fingerprint[:16]}-{axes_hash[:16]}.sqlite")
        self._encoder = encoder
        self._axes = axes

    def encode(self, texts: Sequence[str], kind: str) -> Tokens:
        """Return the reduced tokens of texts; see `Encoder.tokens`."""
        rows = rows_by_content(texts, kind, self._encoder.prefixes[kind])
        self._encode_missing({key: texts[places[0]] for key, places in rows.items()}, kind)
        width = self._axes.shape[1]
        sizes = np.zeros(len(texts), np.int64)
        for key, size in self._store.sizes(rows).items():
            sizes[rows[key]] = size // (width * np.dtype(np.float16).itemsize)
        starts = bounds(sizes)
        vectors = np.empty((starts[-1], width), np.float16)
        for key, value in self._store.read(rows):
            tokens = np.frombuffer(value, np.float16).reshape(-1, width)
            for row in rows[key]:
                vectors[starts[row] : starts[row + 1]] = tokens
        return Tokens(vectors, starts)

    def _encode_missing(self, texts: dict[str, str], kind: str) -> None:
        missing = texts.keys() - self._store.sizes(texts).keys()
        # Texts of similar length share a batch.
        todo = sorted(missing, key=lambda key: (len(texts[key]), key))
        hidden = len(todo) < SHARD or not sys.stderr.isatty()
        for start in track(range(0, len(todo), SHARD), f"tokens of {len(todo)} texts", disable=hidden):
            shard = todo[start : start + SHARD]
            tokens = self._encoder.tokens([texts[key] for key in shard], kind).mapped(self._axes)
            parts = np.split(tokens.vectors, tokens.starts[1:-1])
            self._store.write([(key, part.tobytes()) for key, part in zip(shard, parts, strict=True)])
