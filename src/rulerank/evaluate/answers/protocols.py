"""Answers measured under each protocol: as served, and with evidence supplied or withheld."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.answer import Answer
from rulerank.authority.shown import order_of_passages
from rulerank.authority.supersession import Supersession
from rulerank.authority.tca import tca
from rulerank.evaluate.answers.measures import (
    answer_scores,
    citation_scores,
    cited,
    coverage,
    rolled_up,
    rules_of,
)
from rulerank.evaluate.noise import Noise
from rulerank.ranker import Ranker
from rulerank.ranker.answering import Answering
from rulerank.ranker.ranking import Ranking

SERVED = 10
"""The most passages that a served answer draws on, as in `Ranker.answer`."""


@dataclass(frozen=True, eq=False)
class JudgedQuestion:
    """One judged question.

    Parameters
    ----------
    query_id, text : str
        The question.
    relevant : tuple of str
        Its judged passages, the most relevant first.

    """

    query_id: str
    text: str
    relevant: tuple[str, ...]


def judged_questions(queries: pl.DataFrame, judgements: pl.DataFrame) -> list[JudgedQuestion]:
    """Return the questions of a table that have a text and at least one relevant passage."""
    judged = (
        judgements.filter(pl.col("relevance") > 0)
        .sort("relevance", descending=True, maintain_order=True)
        .group_by("query_id", maintain_order=True)
        .agg("passage_id")
    )
    known = queries.drop_nulls("text").join(judged, on="query_id", maintain_order="left")
    return [
        JudgedQuestion(query_id, text, tuple(passages))
        for query_id, text, passages in known.select("query_id", "text", "passage_id").iter_rows()
    ]


class Protocols:
    """Answers one question under each protocol.

    Parameters
    ----------
    ranker : Ranker
        The exported ranker.
    as_of : date
        The day of all answers.
    seed : int
        Draws the passages that `noise` adds.

    """

    def __init__(self, ranker: Ranker, as_of: date, seed: int) -> None:
        self.ranker = ranker
        self.as_of = as_of
        self.seed = seed
        passages = ranker.bundle.passages
        self.rows = {each: row for row, each in enumerate(passages["passage_id"])}
        self.rules = rules_of(passages)

    @cached_property
    def order(self) -> Supersession:
        """Which passages void which others."""
        return order_of_passages(self.ranker.bundle.edges, self.ranker.bundle.passages["passage_id"])

    def rankings(self, question: JudgedQuestion) -> dict[str, Ranking]:
        """Return the ranking for each protocol that answers from a ranking, by the protocol's name."""
        without: dict[str, Sequence[str]] = {
            "served": (),
            "noise": self._beyond_noise(question),
            "partial": question.relevant[:1],
            "unanswerable": question.relevant,
        }
        found = self.ranker.rankings_without(question.text, list(without.values()), as_of=self.as_of)
        return dict(zip(without, found, strict=True))

    def answers(self, question: JudgedQuestion, rankings: Mapping[str, Ranking]) -> dict[str, Answer]:
        """Return the answer under each protocol by its name; `rankings` come from `self.rankings`."""
        text = question.text
        ranked = {
            name: self._answering.by_ranking(text, each, SERVED, None) for name, each in rankings.items()
        }
        return {**ranked, "oracle": self._from(text, question.relevant)}

    def scores(self, question: JudgedQuestion, answer: Answer) -> dict[str, float]:
        """Return the measures of one answer."""
        found = cited(answer)
        strict = citation_scores(found, question.relevant)
        rules = citation_scores(rolled_up(found, self.rules), rolled_up(question.relevant, self.rules))
        held, duties = coverage(answer, self.ranker.evidence.shown(question.relevant, self.as_of))
        return {
            **strict,
            **{f"rule_{name}": value for name, value in rules.items() if name != "complete"},
            **answer_scores(answer, question.relevant, self.order, self.rows),
            "duties_quoted": float(held),
            "duties": float(duties),
        }

    def quality(self, question: JudgedQuestion, ranking: Ranking, served: Answer) -> float:
        """Return the F1 of the served answer, or of the one that would be served had it not been declined."""
        kept = ranking.evidence_of(SERVED)
        given = served if served.claims or not kept else self._from(question.text, kept)
        return citation_scores(cited(given), question.relevant)["f1"]

    def controls(self, found: Sequence[str], relevant: Sequence[str]) -> bool:
        """Return whether the passages hold what controls, and no voided one without its superseder."""
        listed, gold = (
            np.array([self.rows[each] for each in ids if each in self.rows], np.int64)
            for ids in (found, relevant)
        )
        return tca(self.order, listed, gold)

    @cached_property
    def _answering(self) -> Answering:
        return Answering(self.ranker.evidence)

    def _from(self, question: str, passage_ids: Sequence[str]) -> Answer:
        return self.ranker.answer_from(question, passage_ids, self.as_of)

    def _beyond_noise(self, question: JudgedQuestion) -> list[str]:
        """Return all passages but the judged ones and the noise around them."""
        relevant = [self.rows[each] for each in question.relevant if each in self.rows]
        given = self._noise.around(question.query_id, np.array(relevant, np.int64))
        others = np.setdiff1d(np.arange(len(self.rows)), given)
        return self.ranker.bundle.passages["passage_id"][others].to_list()

    @cached_property
    def _noise(self) -> Noise:
        bundle = self.ranker.bundle
        return Noise.build(bundle.edges, bundle.passages, self.seed)
