"""ROUGE: the terms that an answer shares with the expected one (Lin, ACL 2004 workshop)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Rouge(NamedTuple):
    """F1 in [0, 1] over terms, over pairs of adjacent terms, and over the longest common subsequence."""

    rouge_1: float
    rouge_2: float
    rouge_l: float


def rouge(answer: Sequence[str], expected: Sequence[str]) -> Rouge:
    """Return the ROUGE of an answer; a measure is 0 if either side has nothing to compare.

    Parameters
    ----------
    answer, expected : sequence of str
        The terms of both texts, by any analyser.

    """
    shared = [
        (Counter(one) & Counter(other)).total()
        for one, other in ((answer, expected), (pairwise(answer), pairwise(expected)))
    ]
    sizes = len(answer), len(expected)
    return Rouge(
        _f1(shared[0], *sizes),
        _f1(shared[1], *(size - 1 for size in sizes)),
        _f1(longest_common(answer, expected), *sizes),
    )


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    A zero among the bits of `row` is a step of the usual table, so that each term of `other` costs a few
    operations on integers of `len(one)` bits (Hyyrö, AWOCA 2004).
    """
    places: dict[str, int] = {}
    for place, term in enumerate(one):
        places[term] = places.get(term, 0) | 1 << place
    whole = row = (1 << len(one)) - 1
    for term in other:
        met = row & places.get(term, 0)
        row = (row + met | row - met) & whole
    return len(one) - row.bit_count()


def _f1(shared: int, one: int, other: int) -> float:
    return 2 * shared / (one + other) if shared else 0.0
