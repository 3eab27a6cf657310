"""The terms that describe a sentence to the classifier of obligations."""

from __future__ import annotations

from itertools import pairwise

from rulerank.obligations.modality import modal
from rulerank.text import tokens

VERSION = 5
"""Increased whenever `terms` returns anything else for any sentence: weights belong to one version."""

FIRST, LAST = "^", "$"


def terms(sentence: str) -> list[str]:
    """Return the words of a sentence, each pair of neighbours, and what the sentence states by the rules.

    The ends of the sentence count as words; the modality is one term, such as "=obligation".
    """
    words = [FIRST, *tokens(sentence), LAST]
    stated = modal(" ".join(sentence.split()))
    return [*words, *(" ".join(pair) for pair in pairwise(words)), f"={stated.modality if stated else None}"]
