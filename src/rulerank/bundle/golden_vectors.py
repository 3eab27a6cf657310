"""The vectors of the golden questions, as the encoder gave them when the bundle was written.

Features are verified with these vectors, because another processor rounds its own differently. Those of an
encoder in 8 bits differ more: a value that is rounded to an integer differs by a whole step or not at all,
and a processor without instructions for such products does not round activations. The encoder itself is
verified separately: its vectors must point in the same direction.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rulerank.arrays import FloatArray, IntArray, save_arrays
from rulerank.bundle.checked import Arrays
from rulerank.bundle.contents import Bundle
from rulerank.bundle.layout import ASKED, ASKED_TOKENS
from rulerank.bundle.names import ENCODER, GOLDEN, TOKEN_ENCODER
from rulerank.errors import BundleError
from rulerank.retrieve.encoder import Precision
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.tokens import Tokens

VECTORS = "asked"

LEAST: dict[Precision, float] = {"fp32": 0.9999, "int8": 0.99}
"""The least cosine of a question's vector with the one at export, by the encoder's precision.

For a question's tokens, it is the mean of their cosines.
"""


def write_vectors(asked: Queries, folder: Path) -> None:
    """Write the vectors of the golden questions into a bundle's folder."""
    tokens = asked.tokens
    further = {} if tokens is None else {"tokens": tokens.vectors, "starts": tokens.starts}
    save_arrays(folder / GOLDEN / VECTORS, {"embeddings": asked.embeddings, **further})


def as_exported(bundle: Bundle, folder: Path, asked: Queries, count: int) -> Queries:
    """Return the first golden questions with their vectors at export.

    Parameters
    ----------
    bundle : Bundle
        The bundle that was loaded from the folder.
    folder : Path
        The bundle.
    asked : Queries
        The first golden questions, with the vectors that the bundle's encoder gives them now.
    count : int
        How many golden questions the bundle has.

    Raises
    ------
    BundleError
        The files hold something else, or the encoder is another one than at export.

    """
    layout = ASKED if asked.tokens is None else {**ASKED, **ASKED_TOKENS}
    sizes = {"asked": count, "dimension": asked.embeddings.shape[1]}
    if asked.tokens is not None:
        sizes["width"] = asked.tokens.vectors.shape[1]
    then: Any = Arrays(folder / GOLDEN / VECTORS, layout, sizes, None).arrays
    embeddings: FloatArray = then["embeddings"][: len(asked)]
    each = np.arange(len(asked) + 1)
    _require_alike(embeddings, asked.embeddings, each, bundle.encoder.precision, folder / ENCODER)
    if asked.tokens is None:
        return replace(asked, embeddings=embeddings)
    tokens = Tokens(then["tokens"], then["starts"]).slice(0, len(asked))
    if tokens.starts.tolist() != asked.tokens.starts.tolist():
        raise BundleError(
            f"{folder / TOKEN_ENCODER}: expected the golden questions to have as many tokens as at export, "
            "found others. Copy the bundle again, or export the ranker again."
        )
    _require_alike(
        tokens.vectors,
        asked.tokens.vectors,
        tokens.starts,
        bundle.token_encoder.precision,
        folder / TOKEN_ENCODER,
    )
    return replace(asked, embeddings=embeddings, tokens=tokens)


def _require_alike(then: Any, now: Any, starts: IntArray, precision: Precision, encoder: Path) -> None:
    """Require that the vectors of every question, which begin at `starts`, point the same way."""
    before, after = (np.asarray(each, np.float64) for each in (then, now))
    lengths = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    cosines = (before * after).sum(axis=1) / np.where(lengths > 0, lengths, 1)
    worst = float((np.add.reduceat(cosines, starts[:-1]) / np.diff(starts)).min())
    # Any comparison with NaN is false.
    if not worst >= LEAST[precision]:
        raise BundleError(
            f"{encoder}: expected the encoder to give every golden question the vectors that it had at "
            f"export, with a cosine of at least {LEAST[precision]}, found {worst:.4f}. Copy the bundle "
            "again, or export the ranker again."
        )
