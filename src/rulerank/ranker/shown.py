"""The first passages of a ranking as a result shows them, each with its reasons."""

from __future__ import annotations

from rulerank.arrays import FloatArray
from rulerank.bundle import Bundle
from rulerank.passages import RankedPassage, Reason
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reasons import greatest, shares


def shown(ranking: Ranking, k: int, reasons: int) -> list[RankedPassage]:
    """Return the first `k` passages of a ranking, each with at most `reasons` features that mattered."""
    if not len(ranking.rows):
        return []
    named = _reasons(ranking.bundle, ranking.answering, ranking.matrix[:k], reasons)
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


def _reasons(bundle: Bundle, model: str, matrix: FloatArray, limit: int) -> list[tuple[Reason, ...]]:
    """Return the reasons of each row of `matrix`, at most `limit` of each."""
    if not limit:
        return [()] * len(matrix)
    names = bundle.features.names
    explained = shares(bundle, model, matrix)
    return [greatest(names, *row, limit) for row in zip(matrix, explained, strict=True)]
