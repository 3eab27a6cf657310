from __future__ import annotations

import math

import pytest

from rulerank.corpora.multiple_choice import ChoiceQuestion
from rulerank.evaluate.choice.score import ChangeRates, ChoiceRates, change_rates, choice_rates


def question(full: int, partial: int = 5) -> ChoiceQuestion:
    return ChoiceQuestion("1", "When?", ("a", "b"), ("1", "2", "3", "4", "unknown"), full, partial)


def test_rates_of_four_questions_computed_by_hand() -> None:
    questions = [question(1), question(2), question(3), question(4)]

    rates = choice_rates(questions, full=[1, 5, 3, None], partial=[5, 5, 2, None])

    assert rates == ChoiceRates(
        full=2 / 4, partial=2 / 4, both=1 / 4, hallucinated=1 / 4, overcautious=1 / 4, unread=2 / 8
    )


def test_abstaining_where_that_is_the_answer_is_not_overcautious() -> None:
    rates = choice_rates([question(5)], full=[5], partial=[5])

    assert (rates.full, rates.overcautious) == (1.0, 0.0)


def test_every_question_needs_both_choices() -> None:
    with pytest.raises(ValueError, match="zip"):
        choice_rates([question(1)], full=[1], partial=[])
    with pytest.raises(ValueError, match="found none"):
        choice_rates([], full=[], partial=[])


def test_corrected_and_introduced_are_shares_of_what_was_wrong_and_right() -> None:
    before = [True, True, True, False, False]
    after = [True, False, True, True, False]

    assert change_rates(before, after) == ChangeRates(corrected=1 / 2, introduced=1 / 3)


def test_nothing_wrong_before_leaves_nothing_to_correct() -> None:
    rates = change_rates([True], [False])

    assert math.isnan(rates.corrected)
    assert rates.introduced == 1.0
