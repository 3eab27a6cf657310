"""One question's candidates in order, with their probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rulerank.answer.membership import POOL
from rulerank.answer.selection import Ranked, Selection
from rulerank.answer.tail_filter import keep
from rulerank.arrays import FloatArray, IntArray
from rulerank.bundle import Bundle
from rulerank.features.curve import probabilities
from rulerank.ranker.evidence import EvidenceSource


@dataclass(frozen=True, eq=False)
class Ranking:
    """The candidates of one question, best first.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    evidence : EvidenceSource
        Its passages on any day.
    as_of : date
        The day.
    model : str
        The model that was asked.
    answering : mapping of str to float
        The models that scored them, with their weights.
    rows : int array of shape (candidates,)
        Their rows in the passages table.
    scores : array of shape (candidates,)
        In descending order.
    company : array of shape (candidates,)
        What the other passages found add to each score, as in `Scored`.
    found : array of shape (found, features)
        The features of the candidates in the order of the corpus, columns as `bundle.features`.
    places_found : int array of shape (candidates,)
        The places of the candidates in `found`.

    """

    bundle: Bundle
    evidence: EvidenceSource
    as_of: date
    model: str
    answering: Mapping[str, float]
    rows: IntArray
    scores: NDArray[np.floating]
    company: NDArray[np.floating]
    found: FloatArray
    places_found: IntArray

    @cached_property
    def matrix(self) -> FloatArray:
        """The features of the candidates, shape (candidates, features), columns as `bundle.features`."""
        matrix: FloatArray = self.found[self.places_found]
        return matrix

    @property
    def leading(self) -> str:
        """The model with the greatest weight; its calibration serves the scores of both."""
        return max(self.answering, key=self.answering.__getitem__)

    @cached_property
    def probability(self) -> NDArray[np.floating]:
        """Each candidate's probability of relevance given the list.

        After `POOL`, and on a shorter list, it is from the score alone: no such list was learned from.
        """
        stated = np.array(probabilities(self.scores, self.bundle.models[self.leading].curve), np.float64)
        if self._selection is not None and len(stated) >= POOL:
            head = self._selection.probabilities(self._head)
            stated[: len(head)] = head
            stated[len(head) :] = np.minimum(stated[len(head) :], head.min())
        return stated

    @cached_property
    def answerable(self) -> float:
        """The probability that the corpus answers the question; NaN if this was not learned."""
        return float("nan") if self._selection is None else self._selection.answers(self._head)

    def kept(self, k: int) -> list[str]:
        """Return the ids of the passages to answer from, best first; none if an answer is unlikely."""
        declined = self._selection is not None and self.answerable < self._selection.least
        return [] if declined else self.evidence_of(k)

    def places(self, rows: IntArray) -> IntArray:
        """Return the places of some rows of the passages table in the ranking, from 0; it holds them all."""
        order = np.argsort(self.rows)
        places: IntArray = order[np.searchsorted(self.rows, rows, sorter=order)]
        return places

    def first(self, k: int) -> list[str]:
        """Return the ids of the first `k` passages."""
        ids: list[str] = self.bundle.passages["passage_id"].gather(self.rows[:k]).to_list()
        return ids

    def evidence_of(self, k: int) -> list[str]:
        """Return the ids of those of the first `k` passages that the tail filter keeps, best first."""
        if self._selection is None:
            places = np.arange(keep(self.scores[:k].tolist()))
        else:
            places = np.flatnonzero(self._selection.kept(self.probability[: min(k, POOL)]))
        ids: list[str] = self.bundle.passages["passage_id"].gather(self.rows[places]).to_list()
        return ids

    @property
    def _selection(self) -> Selection | None:
        return self.bundle.selections.get(self.leading)

    @cached_property
    def _head(self) -> Ranked:
        model = self.bundle.models[self.leading]
        line = model.curve["slope"] * self.scores[:POOL] + model.curve["intercept"]
        columns = self.bundle.features.places(model.features.names)
        matrix = self.found[self.places_found[:POOL]][:, columns]
        features = dict(zip(model.features.names, matrix.T, strict=True))
        return Ranked(line, self.evidence.cites(self.rows[:POOL]), features)
