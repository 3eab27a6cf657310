"""Token vectors reduced in width and kept on disk by content."""

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
from rulerank.retrieve.tokens import Tokens, join

SHARD = 512
"""Texts encoded between two writes."""

SAMPLE = 500
"""Texts whose tokens decide the axes."""


def principal_axes(encoder: Encoder, texts: Sequence[str], width: int, seed: int) -> FloatArray:
    """Return the directions in which the tokens of a sample of texts vary most.

    Parameters
    ----------
    encoder : Encoder
        Gives the tokens.
    texts : sequence of str
        Passages.
    width : int
        Directions to keep, at most.
    seed : int
        Of the sample of `SAMPLE` texts.

    Returns
    -------
    array of shape (dimension of the encoder, width)
        The first right singular vectors, as columns. Each one's sign is that of its largest entry.

    """
    drawn = np.random.default_rng(seed).permutation(len(texts))[:SAMPLE]
    vectors = encoder.tokens([texts[row] for row in np.sort(drawn)], "passage").vectors.astype(np.float64)
    # The eigenvectors of a width x width matrix come far cheaper than a decomposition of all tokens.
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    axes = axes[:, ::-1][:, :width]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    # The last digits depend on how threads add up, and the cache is named by these bytes.
    reduction: FloatArray = np.round(axes * signs, 5).astype(np.float32)
    return reduction


class TokenCache:
    """Reduced tokens kept on disk by content, so that an interrupted run goes on where it was.

    Parameters
    ----------
    folder : Path
        Holds one folder an encoder and reduction, in it shards of texts.
    encoder : Encoder
        Encodes what is not there yet.
    axes : array of shape (dimension, width)
        What `principal_axes` returned.

    """

    def __init__(self, folder: Path, encoder: Encoder, axes: FloatArray) -> None:
        axes_hash = hashlib.sha256(np.ascontiguousarray(axes).tobytes()).hexdigest()
        self._folder = folder / f"{encoder.fingerprint[:16]}-{axes_hash[:16]}"
        self._encoder = encoder
        self._axes = axes

    def encode(self, texts: Sequence[str], kind: str) -> Tokens:
        """Return the reduced tokens of texts; see `Encoder.tokens`."""
        # Neighbours in length share a batch; the order of the shards depends on the texts alone.
        order = sorted(range(len(texts)), key=lambda row: (len(texts[row]), texts[row], row))
        starts = range(0, len(order), SHARD)
        hidden = len(order) < SHARD or not sys.stderr.isatty()
        parts = [
            self._shard([texts[row] for row in order[start : start + SHARD]], kind)
            for start in track(starts, f"tokens of {len(texts)} texts", disable=hidden)
        ]
        if not parts:
            return self._encoder.tokens([], kind).mapped(self._axes)
        return join(parts).take(np.argsort(order))

    def _shard(self, texts: Sequence[str], kind: str) -> Tokens:
        said = "\0".join([kind, self._encoder.prefixes[kind], *texts])
        path = self._folder / f"{hashlib.sha256(said.encode()).hexdigest()[:16]}.npz"
        if path.is_file():
            with np.load(path) as stored:
                return Tokens(stored["vectors"], stored["starts"])
        tokens = self._encoder.tokens(texts, kind).mapped(self._axes)
        with replacing(path) as temporary, temporary.open("wb") as stream:
            np.savez(stream, vectors=tokens.vectors, starts=tokens.starts)
        return tokens
