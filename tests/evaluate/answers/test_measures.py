from __future__ import annotations

from datetime import date

import numpy as np
import polars as pl
import pytest

from rulerank.answer import Answer, Claim, Quote
from rulerank.authority.shown import order_of_passages
from rulerank.evaluate.answers.measures import (
    answer_scores,
    citation_scores,
    coverage,
    declined_at,
    risk_coverage,
    rules_of,
)
from rulerank.passages import Passage

DAY = date(2024, 5, 1)
TEXT = "The master must report. The mate must ring. Tides vary."
SHOWN = tuple(
    Passage(passage_id=each, document_id="d", document="D", section="1", text=TEXT) for each in ("a", "b")
)


def test_citation_scores_by_hand() -> None:
    assert citation_scores(["a", "x"], ["a", "b", "c"]) == {
        "precision": 0.5,
        "recall": pytest.approx(1 / 3),
        "f1": pytest.approx(0.4),
        "complete": 0.0,
    }
    assert set(citation_scores([], ["a"]).values()) == {0.0}


def test_claims_are_held_against_what_was_shown() -> None:
    edges = pl.DataFrame([("b", "a", "SUPERSEDES")], schema=["source_id", "target_id", "type"], orient="row")
    order, rows = order_of_passages(edges, pl.Series(["a", "b", "c"])), {"a": 0, "b": 1, "c": 2}
    good = Claim("The master must report.", "obligation", ("a", "b"), (Quote("a", 0, 23),))
    bad = Claim("The master may report.", "permission", ("a", "c"), (Quote("a", 0, 23),))
    right = answer_scores(Answer("?", DAY, (good,), SHOWN), ["a"], order, rows)
    assert (right["invented"], right["modality_kept"], right["verbatim"], right["tca"]) == (0, 1, 1, 1)
    wrong = answer_scores(Answer("?", DAY, (bad,), SHOWN), ["a"], order, rows)
    assert (wrong["invented"], wrong["modality_kept"], wrong["verbatim"], wrong["tca"]) == (1, 0, 0, 0)


def test_coverage_counts_the_duties_that_are_quoted() -> None:
    claim = Claim("The mate must ring.", "obligation", ("a",), (Quote("a", 24, 43),))
    assert coverage(Answer("?", DAY, (claim,), SHOWN), SHOWN[:1]) == (1, 2)


def test_risk_rises_as_less_certain_questions_are_answered() -> None:
    curve = risk_coverage(np.array([0.1, 0.9, 0.5]), np.array([0.0, 1.0, 0.5]))
    assert curve["coverage"].to_list() == pytest.approx([1 / 3, 2 / 3, 1])
    assert curve["risk"].to_list() == pytest.approx([0, 0.25, 0.5])


def test_risk_of_equally_certain_questions_does_not_depend_on_their_order() -> None:
    for quality in ([1.0, 0.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.5]):
        curve = risk_coverage(np.array([0.5, 0.5, np.nan, np.nan]), np.array(quality))
        assert curve["risk"].to_list() == pytest.approx([0.5, 0.5, 1 - 1.25 / 3, 1 - 1.5 / 4])
    assert risk_coverage(np.array([]), np.array([])).is_empty()


@pytest.mark.parametrize(("wrong", "declined"), [(0, 0.25), (0.1, 0.25), (0.2, 0.5), (0.4, 0.75), (1, 1)])
def test_more_is_declined_at_a_higher_price(wrong: float, declined: float) -> None:
    answerable = np.array([0.9, 0.3, 0.8, 0.5, 0.7])
    unanswerable = np.array([0.2, 0.4, 0.6, 0.9])
    assert declined_at(wrong, answerable, unanswerable) == declined


def test_rule_of_a_passage_is_its_section_before_the_first_bracket() -> None:
    sections = ["4.3.2.(1).(a)", "4.3.2", "12.(b)", "Part 1.3."]
    table = pl.DataFrame({"passage_id": list("abcd"), "document_id": "d", "section": sections})
    assert list(rules_of(table).values()) == ["d 4.3.2", "d 4.3.2", "d 12", "d Part 1.3"]


def test_passages_without_a_section_are_rules_of_their_own() -> None:
    table = pl.DataFrame({"passage_id": ["a", "b", "c"], "document_id": "d", "section": ["", "(1)", "2"]})
    assert rules_of(table) == {"a": "a", "b": "b", "c": "d 2"}
