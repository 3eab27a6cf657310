"""The answers to the questions of one split, measured under every protocol."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from rulerank.answer import Answer
from rulerank.evaluate.answers.by_models import ByModels
from rulerank.evaluate.answers.filters import CALIBRATED, filtered
from rulerank.evaluate.answers.measures import declined_at, risk_coverage
from rulerank.evaluate.answers.protocols import JudgedQuestion, Protocols
from rulerank.evaluate.calibration import calibration_error
from rulerank.evaluate.significance import corrected, paired_randomisation
from rulerank.ranker.ranking import Ranking
from rulerank.settings import Evaluate
from rulerank.threads import parallel_map

WRONG = 0.1
"""The share of the answerable questions that may be declined in `declined_at_wrong`."""

STATED = 10
"""Passages of each ranking whose stated probability is compared with the judgements."""


@dataclass(frozen=True, eq=False)
class MeasuredSplit:
    """What was measured on the questions of one split.

    Parameters
    ----------
    figures : dict
        The metrics of the split, those of each protocol under `protocols`.
    scores : polars.DataFrame
        The measures of each answer, with query_id and protocol.
    curve : polars.DataFrame
        Risk by coverage: from `risk_coverage`, by `Protocols.quality`.
    kept : polars.DataFrame
        From `filtered`.
    seconds : list of float
        How long answering each question took after ranking.

    """

    figures: dict[str, Any]
    scores: pl.DataFrame
    curve: pl.DataFrame
    kept: pl.DataFrame
    seconds: list[float]

    def against(self, evaluate: Evaluate, seed: int) -> pl.DataFrame:
        """Test the calibrated filter against every other by F1, with Holm's correction for their number."""
        parts = self.kept.group_by("run", maintain_order=True)
        by_name = {str(name): part["f1"].to_numpy() for (name,), part in parts}
        own = by_name.pop(CALIBRATED)
        rows = [
            {
                "against": name,
                "F1": float(other.mean()),
                "difference": float(own.mean() - other.mean()),
                "p_value": paired_randomisation(own, other, evaluate.permutations, seed),
            }
            for name, other in by_name.items()
        ]
        return corrected(pl.DataFrame(rows))


def measure_split(
    protocols: Protocols,
    questions: Sequence[JudgedQuestion],
    of_hybrid: Mapping[str, Sequence[str]],
    models: ByModels,
    threads: int,
) -> MeasuredSplit:
    """Answer questions under every protocol, and measure the answers.

    Parameters
    ----------
    protocols : Protocols
        What answers.
    questions : sequence of JudgedQuestion
        The questions of the split, at least one.
    of_hybrid : mapping
        From `kept_of_hybrid`.
    models : ByModels
        Measures by models.
    threads : int
        Questions answered side by side.

    """
    rows, rankings, emptied = [], {}, []
    given: dict[str, list[Answer]] = {}
    # Threads of BLAS within each question would wait for one another.
    with threadpool_limits(1, "blas"):
        every = parallel_map(partial(_asked, protocols), questions, threads)
        for question, (by_protocol, answers, scored) in zip(questions, every, strict=True):
            rankings[question.query_id] = by_protocol["served"]
            emptied.append(by_protocol["unanswerable"].answerable)
            rows += scored
            for name, answer in answers.items():
                given.setdefault(name, []).append(answer)
        seconds = [_seconds(protocols, each, rankings[each.query_id]) for each in questions]
    scores = pl.DataFrame(rows)
    served = [
        (each, rankings[each.query_id], answer)
        for each, answer in zip(questions, given["served"], strict=True)
    ]
    answerable = np.array([ranking.answerable for _, ranking, _ in served])
    curve = risk_coverage(answerable, np.array([protocols.quality(*each) for each in served]))
    figures = {
        "questions": len(questions),
        "calibration_error": _calibration_error(questions, rankings),
        "risk_area": round(float(curve["risk"].to_numpy().mean()), 4),
        "declined_at_wrong": round(declined_at(WRONG, answerable, np.array(emptied)), 4),
        **models(given["served"], given["oracle"]),
        **_by_protocol(scores),
    }
    return MeasuredSplit(figures, scores, curve, filtered(rankings, questions, protocols, of_hybrid), seconds)


def _asked(
    protocols: Protocols, question: JudgedQuestion
) -> tuple[dict[str, Ranking], dict[str, Answer], list[dict[str, object]]]:
    """Return the rankings of a question, and its answers under every protocol with their measures."""
    by_protocol = protocols.rankings(question)
    answers = protocols.answers(question, by_protocol)
    scored = [
        {"protocol": name, "query_id": question.query_id, **protocols.scores(question, answer)}
        for name, answer in answers.items()
    ]
    return by_protocol, answers, scored


def _seconds(protocols: Protocols, question: JudgedQuestion, ranking: Ranking) -> float:
    """Return how long it takes to answer again from the evidence of a ranking, with nothing beside it."""
    evidence = ranking.evidence_of(STATED)
    start = time.perf_counter()
    protocols.ranker.answer_from(question.text, evidence, protocols.as_of)
    return time.perf_counter() - start


def _calibration_error(questions: Sequence[JudgedQuestion], rankings: Mapping[str, Ranking]) -> float:
    """Return the expected calibration error of the probability stated of the first passages."""
    ranked = [(rankings[each.query_id], each.relevant) for each in questions]
    stated = np.concatenate([ranking.probability[:STATED] for ranking, _ in ranked])
    relevant = np.concatenate([np.isin(ranking.first(STATED), judged) for ranking, judged in ranked])
    return round(calibration_error(stated, relevant), 4)


def _by_protocol(scores: pl.DataFrame) -> dict[str, Any]:
    """Return the mean measures of each protocol, and how often each abstained."""
    means = scores.group_by("protocol", maintain_order=True).agg(
        pl.len().alias("questions"),
        pl.exclude("query_id", "duties_quoted", "duties").fill_nan(None).mean(),
        # Where no passage states a duty, 0 / 0: a share that does not exist, as JSON has no NaN.
        coverage=(pl.col("duties_quoted").sum() / pl.col("duties").sum()).fill_nan(None),
    )
    by_name = {row.pop("protocol"): row for row in means.to_dicts()}
    declined = {name: round(1 - row["answered"], 4) for name, row in by_name.items()}
    abstained = declined["unanswerable"] + declined["served"]
    return {
        "declined": declined,
        "abstention_precision": round(declined["unanswerable"] / abstained, 4) if abstained else None,
        "abstention_recall": declined["unanswerable"],
        "protocols": by_name,
    }
