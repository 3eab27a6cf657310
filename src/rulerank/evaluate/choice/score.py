"""How well a model chooses with all of its evidence, and abstains with part of it (SearchFireSafety)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulerank.corpora.multiple_choice import ChoiceQuestion

Chosen = int | None
"""The number of an option, from 1. None, if a reply names no option, is never right."""


@dataclass(frozen=True)
class ChoiceRates:
    """Shares of the questions.

    Parameters
    ----------
    full : float
        Right with all passages shown.
    partial : float
        Right with one missing: the option that the question cannot be answered.
    both : float
        Right both times: with all of its evidence, and without some of it.
    hallucinated : float
        With one missing, another option was chosen.
    overcautious : float
        With all passages shown, the model abstained.
    unread : float
        Replies, of either kind, that name no option.

    """

    full: float
    partial: float
    both: float
    hallucinated: float
    overcautious: float
    unread: float


def choice_rates(
    questions: Sequence[ChoiceQuestion], full: Sequence[Chosen], partial: Sequence[Chosen]
) -> ChoiceRates:
    """Score the options chosen with all passages shown, and with one of them missing.

    Raises
    ------
    ValueError
        There is no question, or not one choice of each kind for every question.

    """
    if not questions:
        raise ValueError("expected a question or more, found none")
    rows = list(zip(questions, full, partial, strict=True))

    def share(count: int) -> float:
        return count / len(rows)

    return ChoiceRates(
        full=share(sum(with_all == asked.full for asked, with_all, _ in rows)),
        partial=share(sum(with_part == asked.partial for asked, _, with_part in rows)),
        both=share(
            sum(with_all == asked.full and with_part == asked.partial for asked, with_all, with_part in rows)
        ),
        hallucinated=share(sum(with_part not in (None, asked.partial) for asked, _, with_part in rows)),
        overcautious=share(sum(with_all == asked.partial != asked.full for asked, with_all, _ in rows)),
        unread=share(sum((chosen is None) for _, *both in rows for chosen in both)) / 2,
    )


@dataclass(frozen=True)
class ChangeRates:
    """What a change of the context does to right and wrong answers.

    Parameters
    ----------
    corrected : float
        Share of the previously wrong answers that are now right; NaN if none was wrong.
    introduced : float
        Share of the previously right answers that are now wrong; NaN if none was right.

    """

    corrected: float
    introduced: float


def change_rates(before: Sequence[bool], after: Sequence[bool]) -> ChangeRates:
    """Compare which questions were answered correctly before and after a change, question by question.

    Raises
    ------
    ValueError
        The two do not cover the same questions.

    """
    pairs = list(zip(before, after, strict=True))
    turned = [now for was, now in pairs if not was]
    lost = [not now for was, now in pairs if was]
    return ChangeRates(_mean(turned), _mean(lost))


def _mean(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")
