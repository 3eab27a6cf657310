"""The passages of a corpus token by token, and the learned maps of late interaction."""

from __future__ import annotations

from dataclasses import dataclass

from rulerank.arrays import FloatArray
from rulerank.retrieve.tokens import Tokens


@dataclass(frozen=True, eq=False)
class LateMaps:
    """The two learned maps, A and B in `rulerank.retrieve.late`.

    Parameters
    ----------
    query, passage : arrays of shape (width, dimension)
        A and B.

    """

    query: FloatArray
    passage: FloatArray


@dataclass(frozen=True, eq=False)
class Matched:
    """The passages of a corpus token by token, and the maps that compare them with questions.

    Parameters
    ----------
    passages : Tokens
        Reduced tokens of N passages.
    maps : LateMaps
        Trained on judgements; training questions use maps that have not seen their judgements.
    axes : array of shape (dimension of the encoder, width)
        Reduces the encoder's tokens.

    """

    passages: Tokens
    maps: LateMaps
    axes: FloatArray
