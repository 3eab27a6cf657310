"""Named passages in the order of a ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rulerank.arrays import IntArray
from rulerank.features.curve import probabilities
from rulerank.passages import RankedPassage
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.shown import shown_at


@dataclass(frozen=True, kw_only=True)
class Reranked(RankedPassage):
    """One of the passages that the caller named.

    Parameters
    ----------
    index : int
        Its place in the caller's list, from 0.
    rank : int
        Its rank among them, from 1.
    probability : float
        From the score alone, so that it falls from rank to rank.

    """

    index: int


def reranked(ranking: Ranking, given: Sequence[IntArray], k: int | None, reasons: int) -> list[Reranked]:
    """Return the first `k` of the given passages, best first.

    Parameters
    ----------
    ranking : Ranking
        It holds them all.
    given : sequence of int arrays
        The rows of each in the passages table; if there are several, the best counts.
    k : int or None
        None for all of them.
    reasons : int
        As in `shown`.

    """
    places = np.array([ranking.places(rows).min() for rows in given], np.int64)
    order = np.argsort(places, kind="stable")[:k]
    curve = ranking.bundle.models[ranking.leading].curve
    stated = probabilities(ranking.scores[places[order]], curve)
    return [
        Reranked(**vars(replace(passage, rank=rank, probability=float(probability))), index=index)
        for rank, (index, passage, probability) in enumerate(
            zip(order.tolist(), shown_at(ranking, places[order], reasons), stated, strict=True), start=1
        )
    ]
