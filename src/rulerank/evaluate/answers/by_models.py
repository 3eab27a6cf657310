"""Answers measured by models, if available: RePASs, and Claim F1 by a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rulerank.answer import Answer
from rulerank.errors import SettingsError, UnansweredError
from rulerank.evaluate.claim_f1 import ClaimScore, Judge
from rulerank.evaluate.repass import Parts, mean_of, parts_of, repass
from rulerank.llm import MODEL, URL, configured
from rulerank.llm.replies import Replies
from rulerank.settings import Device, MeasuredByModels

KEPT = Path(".cache/judge.jsonl")
"""A judge's replies, so that an interrupted stage asks only what is still open."""


@dataclass(frozen=True)
class ByModels:
    """Measures by models; a measure without its model is left out.

    Parameters
    ----------
    parts : Parts, optional
        The models of RePASs.
    judge : Judge, optional
        The judge of Claim F1.

    """

    parts: Parts | None = None
    judge: Judge | None = None

    def __call__(
        self, answers: Sequence[Answer], expected: Sequence[Answer]
    ) -> Mapping[str, Mapping[str, float]]:
        """Return the means over some questions, by measure.

        Parameters
        ----------
        answers : sequence of Answer
            One per question.
        expected : sequence of Answer
            The expected answers to the same questions, in the same order.

        Returns
        -------
        mapping
            `repass`: the published means over the answered questions, if there are any, the number of these,
            and the mean score with 0 for the others. `claim_f1`: precision, recall and F1 over the questions
            whose judgement could be read, and the number of the others, `unread`.

        Raises
        ------
        UnansweredError
            No judgement of the judge could be read.
        ModelError
            The judge cannot be reached.

        """
        found: dict[str, Mapping[str, float]] = {}
        if self.parts is not None:
            found["repass"] = _repass(answers, self.parts)
        if self.judge is not None:
            found["claim_f1"] = _claim_f1(answers, expected, self.judge)
        return found


def by_models(settings: MeasuredByModels, device: Device) -> ByModels:
    """Load the models that the settings name.

    Raises
    ------
    InputError
        A model of RePASs or NLTK's data is missing, or a model has other classes.
    SettingsError
        The settings ask for a judge, and the environment names no endpoint.

    """
    parts = judge = None
    if settings.obligations is not None:
        parts = parts_of(settings.obligations, settings.entailment, settings.coverage, device=device)
    if settings.judge:
        model = configured()
        if model is None:
            raise SettingsError(
                f"answer.measured.judge: expected an endpoint, found none. Set {URL} and {MODEL}."
            )
        judge = Judge(model, Replies(KEPT))
    return ByModels(parts, judge)


def _repass(answers: Sequence[Answer], parts: Parts) -> Mapping[str, float]:
    given = [[passage.text for passage in answer.sources] for answer in answers]
    mean = mean_of(
        [repass(passages, _said(answer), parts) for passages, answer in zip(given, answers, strict=True)]
    )
    published = mean.of_answered._asdict() if mean.answered else {}
    return {"answered": mean.answered, **published, "score_of_all": mean.score_of_all}


def _claim_f1(answers: Sequence[Answer], expected: Sequence[Answer], judge: Judge) -> Mapping[str, float]:
    scores: list[ClaimScore] = []
    unread: list[UnansweredError] = []
    for one, other in zip(answers, expected, strict=True):
        try:
            scores.append(judge(_said(one), _said(other)))
        except UnansweredError as error:
            unread.append(error)
    if unread and not scores:
        raise unread[0]
    return {**ClaimScore(*np.mean(scores, axis=0).tolist())._asdict(), "unread": len(unread)}


def _said(answer: Answer) -> str:
    return " ".join(claim.text for claim in answer.claims)
