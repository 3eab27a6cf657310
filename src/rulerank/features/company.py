"""Company: couples of candidates near the top of one list, described for a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rulerank.arrays import BoolArray, DoubleArray, FloatArray, IntArray, best_places
from rulerank.features.index import RankingIndex
from rulerank.features.likeness import likeness_in_meaning, likeness_in_words

DEPTH = 40
"""How many first ranks of a list are looked at."""

GIVEN = 6
"""How many first ranks lead: the others are described relative to them."""

FAR = 50
"""Distances in a document above this number of places are treated as equal."""

DESCRIBED = ("dense_score", "bm25_share", "pretrained_score", "d_len")
"""Features that are looked at on both sides of a pair, if the ranker has them."""

TOGETHER = ("likeness_in_meaning", "likeness_in_words", "places_on", "same_document", "same_section")


@dataclass(frozen=True, eq=False)
class ScoredCandidates:
    """Candidates of some questions, question by question, as a ranker scores them.

    Parameters
    ----------
    index : RankingIndex
        Everything known about the passages.
    columns : int array of shape (pairs,)
        The passage of each candidate, ascending within a question.
    starts : int array of shape (questions + 1,)
        Where each question's candidates begin, and finally where they end.
    scores : array of shape (pairs,)
        The ranker's scores.
    described : array of shape (pairs, described)
        The features of `DESCRIBED` that the ranker has.

    """

    index: RankingIndex
    columns: IntArray
    starts: IntArray
    scores: DoubleArray
    described: FloatArray

    def first(self, depth: int) -> Iterator[IntArray]:
        """Yield the first candidates of each question that has any, best first."""
        for start, stop in pairwise(self.starts.tolist()):
            if start < stop:
                yield start + best_places(self.scores[start:stop], depth)

    def leading(self) -> BoolArray:
        """Return which candidates are among the first `GIVEN` of their question, shape (pairs,)."""
        leading = np.zeros(len(self.columns), np.bool_)
        for first in self.first(GIVEN):
            leading[first] = True
        return leading


@dataclass(frozen=True, eq=False)
class Company:
    """Pairs of candidates of one question: one that leads, and another.

    Parameters
    ----------
    leaders, others : int arrays of shape (couples,)
        Numbers of the candidates.
    matrix : array of shape (couples, columns), float32
        Columns as named by `columns_of`.

    """

    leaders: IntArray
    others: IntArray
    matrix: FloatArray

    @classmethod
    def joined(cls, parts: Sequence[Company]) -> Company:
        """Return the couples of several parts, at least one."""
        return cls(
            np.concatenate([part.leaders for part in parts]),
            np.concatenate([part.others for part in parts]),
            np.concatenate([part.matrix for part in parts]),
        )


def columns_of(described: Sequence[str]) -> list[str]:
    """Return the names of the columns of `Company.matrix`."""
    sides = ("score", "rank", *described)
    return [*TOGETHER, *(f"{side}_{name}" for name in sides for side in ("leader", "other"))]


def company(lists: ScoredCandidates, leading: BoolArray) -> Company:
    """Return every couple of a leader and another candidate within the first `DEPTH` of a question.

    Parameters
    ----------
    lists : ScoredCandidates
        The candidates.
    leading : boolean array of shape (pairs,)
        Which of them lead, if they are within that depth.

    """
    parts = [_of_question(lists, first, np.flatnonzero(leading[first])) for first in lists.first(DEPTH)]
    width = len(columns_of(())) + 2 * lists.described.shape[1]
    nobody = np.empty(0, np.int64)
    parts.append(Company(nobody, nobody, np.empty((0, width), np.float32)))
    return Company.joined(parts)


def _of_question(lists: ScoredCandidates, first: IntArray, leaders: IntArray) -> Company:
    """Return the couples of one question; `leaders` are places among its first candidates."""
    index, passages = lists.index, lists.columns[first]
    place, document, section = index.around.static["place"], index.around.documents, index.around.sections
    leading = passages[leaders]
    apart = np.clip(place[passages][:, None] - place[leading], -FAR, FAR)
    same = document[passages][:, None] == document[leading]
    together = [
        likeness_in_meaning(index, passages, leaders),
        likeness_in_words(index, passages, leaders),
        np.where(same, apart, np.nan),
        same,
        section[passages][:, None] == section[leading],
    ]
    own = [lists.scores[first], np.arange(1.0, len(first) + 1), *lists.described[first].T]
    shape = len(first), len(leaders)
    sides = (np.broadcast_to(side, shape) for each in own for side in (each[leaders], each[:, None]))
    matrix = np.stack([*together, *sides], axis=-1).astype(np.float32)
    another = np.arange(len(first))[:, None] != leaders
    others, led = np.nonzero(another)
    return Company(first[leaders[led]], first[others], matrix[another])
