"""The first passages of a ranking as a result shows them, each with its reasons."""

from __future__ import annotations

import numpy as np

from rulerank.features.completion import COMPANIONS
from rulerank.passages import RankedPassage, Reason
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reasons import greatest, shares


def shown(ranking: Ranking, k: int, reasons: int) -> list[RankedPassage]:
    """Return the first `k` passages of a ranking, each with at most `reasons` features that mattered."""
    if not len(ranking.rows):
        return []
    named = _reasons(ranking, k, reasons)
    return [
        RankedPassage(
            rank=place + 1,
            score=float(ranking.scores[place]),
            probability=float(ranking.probability[place]),
            reasons=named[place],
            **vars(passage),
        )
        for place, passage in enumerate(ranking.evidence.passages(ranking.rows[:k], ranking.as_of))
    ]


def _reasons(ranking: Ranking, k: int, limit: int) -> list[tuple[Reason, ...]]:
    """Return the reasons of each of the first `k` passages, at most `limit` of each."""
    matrix = ranking.matrix[:k]
    if not limit:
        return [()] * len(matrix)
    names = (*ranking.bundle.features.names, COMPANIONS)
    explained = shares(ranking.bundle, ranking.answering, matrix)
    added = ranking.added[:k, None]
    # The step after the trees is no feature: what it adds is its value, too.
    values, contributions = np.hstack([matrix, added]), np.hstack([explained, added])
    return [greatest(names, *row, limit) for row in zip(values, contributions, strict=True)]
