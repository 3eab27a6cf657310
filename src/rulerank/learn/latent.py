"""Fits the latent space of a corpus from its passages alone, without questions or judgements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfTransformer

from rulerank.retrieve.latent import LatentSpace
from rulerank.retrieve.term_weights import count_terms
from rulerank.sparse import as_matrix

DECIMALS = 6
"""Decimals of an axis, because a singular vector's last digits depend on the machine."""


def fit_latent(passages: Sequence[Sequence[str]], dimension: int, seed: int) -> LatentSpace | None:
    """Fit the latent space of analysed passages.

    Parameters
    ----------
    passages : sequence of sequences of str
        Their terms. A term in only one passage relates it to no other and is left out.
    dimension : int
        Maximum width of a vector; 0 for no space.
    seed : int
        Seed of the randomised decomposition.

    Returns
    -------
    LatentSpace or None
        None also if no two passages share a term.

    """
    found = Counter(term for terms in passages for term in set(terms))
    shared = sorted(term for term, count in found.items() if count > 1)
    size = min(dimension, len(shared), len(passages))
    if not size:
        return None
    vocabulary = {term: row for row, term in enumerate(shared)}
    weighting = TfidfTransformer(sublinear_tf=True)
    matrix = weighting.fit_transform(as_matrix(count_terms(passages, vocabulary), len(shared)))
    decomposition = TruncatedSVD(size, n_iter=4, random_state=seed).fit(matrix)
    axes = weighting.idf_[:, None] * decomposition.components_.T
    return LatentSpace(vocabulary, np.ascontiguousarray(axes.round(DECIMALS), np.float32))
