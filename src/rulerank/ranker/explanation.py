"""Why one passage has its score, alone or compared with another: the share of every feature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rulerank.arrays import IntArray
from rulerank.passages import RankedPassage, Reason
from rulerank.ranker.ranking import Ranking
from rulerank.ranker.reasons import greatest, parts_at
from rulerank.ranker.shown import shown_at


@dataclass(frozen=True)
class Difference:
    """What one feature does for a passage, minus what it does for another.

    Parameters
    ----------
    feature : str
        Its name.
    value, other : float
        Its values for the two passages, NaN where missing.
    contribution : float
        The difference of its shares; above 0 it favours the first passage.

    """

    feature: str
    value: float
    other: float
    contribution: float


@dataclass(frozen=True)
class Explanation:
    """Every feature's share in the score of a passage.

    Parameters
    ----------
    passage : RankedPassage
        Includes its place among the candidates of the question; without reasons.
    contributions : tuple of Reason
        One for each feature, greatest share first.
    against : RankedPassage, optional
        The passage that it is compared with.
    differences : tuple of Difference, optional
        One for each feature, greatest difference first; empty if there is no other passage.

    """

    passage: RankedPassage
    contributions: tuple[Reason, ...]
    against: RankedPassage | None = None
    differences: tuple[Difference, ...] = ()


def explained(ranking: Ranking, rows: IntArray) -> Explanation:
    """Explain the passage of the first row, compared with that of the second if there is one.

    Parameters
    ----------
    ranking : Ranking
        The ranking of the question; it holds the rows.
    rows : int array of shape (1,) or (2,)
        Rows of the passages table.

    """
    places = ranking.places(rows)
    names, values, of_each = parts_at(ranking, places)
    passages = shown_at(ranking, places, 0)
    contributions = greatest(names, values[0], of_each[0], len(names))
    if len(rows) == 1:
        return Explanation(passages[0], contributions)
    apart = of_each[0] - of_each[1]
    differences = tuple(
        Difference(names[column], float(values[0, column]), float(values[1, column]), float(apart[column]))
        for column in np.argsort(-np.abs(apart), kind="stable")
    )
    return Explanation(passages[0], contributions, passages[1], differences)
