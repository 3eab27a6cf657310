"""Late-interaction features: how well the passage matches the question token by token."""

from __future__ import annotations

import numpy as np

from rulerank.arrays import FloatArray, IntArray, begins
from rulerank.features.pairs import Pairs
from rulerank.features.registry import feature


@feature("late")
def late_score(pairs: Pairs) -> FloatArray:
    """Mean over the question's tokens of the highest cosine with a token of the passage, as mapped."""
    return pairs.late[0]


@feature("late")
def late_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by that mean."""
    return pairs.rank(pairs.late[0])


@feature("late")
def late_gap(pairs: Pairs) -> FloatArray:
    """That mean minus its highest value among the candidates."""
    return pairs.gap(pairs.late[0])


@feature("late")
def late_least(pairs: Pairs) -> FloatArray:
    """The same mean over the quarter of the question's tokens that the passage matches least."""
    return pairs.late[1]


@feature("late")
def semantic_score(pairs: Pairs) -> FloatArray:
    """Mean of the dense score and the late-interaction score."""
    return pairs.semantic


@feature("late")
def semantic_rank(pairs: Pairs) -> FloatArray:
    """Rank of the passage among the question's candidates by that mean."""
    return pairs.rank(pairs.semantic)


@feature("late")
def late_section_max(pairs: Pairs) -> FloatArray:
    """Highest late-interaction score among the other candidates of the passage's section; missing if none."""
    return _highest_other(pairs, pairs.families.section)


@feature("late")
def late_document_max(pairs: Pairs) -> FloatArray:
    """Highest late-interaction score among the other candidates of its document; missing if none."""
    return _highest_other(pairs, pairs.families.document)


def _highest_other(pairs: Pairs, groups: IntArray) -> FloatArray:
    """Return, for each pair, the highest score of the other candidates in its group."""
    scores = pairs.late[0]
    if not len(scores):
        return scores
    order = np.lexsort((-scores, groups))
    ordered = groups[order]
    first = begins(ordered)
    sizes = np.diff(np.append(first, len(order)))
    best = np.repeat(scores[order][first], sizes)
    second_place = np.minimum(first + 1, len(order) - 1)
    second = np.repeat(np.where(sizes > 1, scores[order][second_place], np.nan), sizes)
    is_first = np.zeros(len(order), bool)
    is_first[first] = True
    result = np.empty(len(order), np.float32)
    result[order] = np.where(is_first, second, best)
    return result
