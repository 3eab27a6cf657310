"""What each column adds to a score on the path from the roots of the trees to the leaves."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import DoubleArray, FloatArray
from rulerank.trees.nodes import Nodes


def path_contributions(nodes: Nodes, matrix: FloatArray) -> DoubleArray:
    """Return what each column adds to the score of each row, shape of `matrix`.

    A step from a split to the next node adds the difference of their means, and counts for the column that
    the split tests (Saabas 2014; `approx_contribs` in XGBoost). Over all columns the contributions sum to the
    score minus the mean score of the training rows, as SHAP values do. SHAP averages over every order of the
    columns, at a hundred times the cost; here only the trees' own order counts.

    Parameters
    ----------
    nodes : Nodes
        The trees.
    matrix : array of shape (rows, columns)
        NaN if a value is missing.

    """
    rows, columns = matrix.shape
    row = np.repeat(np.arange(rows), len(nodes.roots))
    node = np.tile(nodes.roots, rows)
    total = np.zeros(rows * columns)
    while len(node):
        column = nodes.column[node]
        values = matrix[row, column]
        left = np.where(np.isnan(values), nodes.missing_left[node], values <= nodes.threshold[node])
        child = np.where(left, nodes.left[node], nodes.right[node])
        total += np.bincount(row * columns + column, nodes.value[child] - nodes.value[node], rows * columns)
        further = ~nodes.leaf[child]
        row, node = row[further], child[further]
    return total.reshape(rows, columns)
