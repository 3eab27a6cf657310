"""Array types and the few array operations that every generator needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]


def normalise_rows(matrix: FloatArray) -> FloatArray:
    """Scale each row to unit length; a row of zeros stays as it is."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def best_columns(scores: FloatArray, depth: int) -> IntArray:
    """Return the columns of the `depth` highest scores of each row, best first.

    Parameters
    ----------
    scores : array of shape (queries, passages)
        Passages that are no candidates carry -inf.
    depth : int
        Columns to return; fewer when there are fewer passages.

    Returns
    -------
    array of shape (queries, min(depth, passages))
        Equal scores stand in column order.

    """
    depth = min(depth, scores.shape[1])
    if depth in (0, scores.shape[1]):
        return np.argsort(-scores, axis=1, kind="stable")[:, :depth]
    columns = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    # Which of the scores equal at the cut a partition takes is its own affair: those rows are sorted in full.
    lowest = np.take_along_axis(scores, columns, axis=1).min(axis=1, keepdims=True)
    tied = (scores >= lowest).sum(axis=1) > depth
    columns[tied] = np.argsort(-scores[tied], axis=1, kind="stable")[:, :depth]
    columns = np.sort(columns, axis=1)
    order = np.argsort(-np.take_along_axis(scores, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)
