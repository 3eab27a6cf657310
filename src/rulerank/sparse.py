"""Lists as SciPy's sparse matrices, for training and measuring: they need the extra `train`."""

from __future__ import annotations

from scipy import sparse

from rulerank.ragged import Ragged


def as_matrix(lists: Ragged, width: int) -> sparse.csr_array:
    """Return lists as a sparse matrix of shape (lists, width) over the same arrays."""
    return sparse.csr_array((lists.weights, lists.items, lists.starts), shape=(len(lists), width))
