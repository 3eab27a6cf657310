"""The passages of a ranking as a result shows them, each with its reasons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rulerank.arrays import IntArray
from rulerank.passages import RankedPassage, Reason
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reasons import greatest, parts_at


def shown(ranking: Ranking, k: int, reasons: int) -> list[RankedPassage]:
    """Return the first `k` passages of a ranking, each with at most `reasons` features that mattered."""
    return shown_at(ranking, np.arange(min(k, len(ranking.rows))), reasons)


def shown_at(ranking: Ranking, places: IntArray, reasons: int) -> list[RankedPassage]:
    """Return the passages at some places of a ranking, from 0, each with its rank there."""
    if not len(places):
        return []
    named = _reasons(ranking, places, reasons)
    passages = ranking.evidence.passages(ranking.rows[places], ranking.as_of)
    return [
        RankedPassage(
            rank=place + 1,
            score=float(ranking.scores[place]),
            probability=float(ranking.probability[place]),
            reasons=own,
            **vars(passage),
        )
        for place, passage, own in zip(places.tolist(), passages, named, strict=True)
    ]


def _reasons(ranking: Ranking, places: IntArray, limit: int) -> Sequence[tuple[Reason, ...]]:
    """Return the reasons of the passages at some places, at most `limit` for each."""
    if not limit:
        return [()] * len(places)
    names, values, contributions = parts_at(ranking, places)
    return [greatest(names, *row, limit) for row in zip(values, contributions, strict=True)]
