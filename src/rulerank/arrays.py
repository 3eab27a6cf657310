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
    if depth < scores.shape[1]:
        columns = np.argpartition(-scores, depth - 1, axis=1)[:, :depth]
    else:
        columns = np.broadcast_to(np.arange(depth), scores.shape)
    columns = np.sort(columns, axis=1)
    order = np.argsort(-np.take_along_axis(scores, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order, axis=1)
