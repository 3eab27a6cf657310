"""Which paragraphs limit which others of their rule."""

from __future__ import annotations

import polars as pl
import pytest

from rulerank.ranker.limits import limiting


def _limits(*rows: tuple[str, str]) -> dict[str, list[str]]:
    """Return what limits what among passages of one document, given by section and text."""
    passages = pl.DataFrame(
        {
            "passage_id": [f"p{number}" for number, _ in enumerate(rows, start=1)],
            "document_id": "act",
            "section": [section for section, _ in rows],
            "text": [text for _, text in rows],
        }
    )
    return {target: list(by) for target, by in limiting(passages).items()}


@pytest.mark.parametrize(
    "text",
    [
        "(2) Paragraph (1) does not apply to a tug.",
        "(2) Paragraph (1) of this rule shall not apply to a tug.",
        "(2) But subsection (1), so far as it concerns rest, applies only to a ferry.",
        "(2) The duty in sub-paragraph (1) does not apply to a tug.",
        "(2) Paragraphs (3) and (1) do not apply to a tug.",
        "(2) Paragraph (1) has effect only from dusk.",
        "(2) Paragraph (1) is disapplied for a tug.",
        "(2) Paragraph (1)(a) does not apply to a tug.",
        "(2) Nothing in paragraph (1) applies to a tug.",
        "(2) Nothing in paragraph (1) of this rule prevents a tug from leaving.",
        "(2) Nothing in paragraph (1) shall apply to a tug.",
        "(2) Nothing in paragraphs (1) or (3) requires a tug to stop.",
    ],
)
def test_a_paragraph_limits_another_of_its_rule(text: str) -> None:
    assert _limits(("1(1)", "A pilot must rest."), ("1(2)", text)) == {"p1": ["p2"]}


@pytest.mark.parametrize(
    "text",
    [
        "(2) Paragraph (1) applies to a tug.",
        "(2) Paragraph (1) of rule 7 does not apply to a tug.",
        "(2) Paragraph (3) does not apply to a tug.",
        "(2) A pilot under paragraph (1) must not apply for leave.",
        "(2) Paragraph (1) does not affect a tug.",
        "(2) Paragraph (1) prevents a tug from leaving.",
        "(2) Nothing in paragraph (3) prevents a tug from leaving.",
        "(2) Nothing in paragraph (1) of rule 7 prevents a tug from leaving.",
        "(2) In rule 7, paragraph (1) does not apply to a tug.",
        "(2) In rule 7(1), paragraph (1) does not apply to a tug.",
        "(2) A permit under paragraph (1) does not apply to a tug.",
        "(2) If paragraph (1) does not apply, the owner must pay.",
        "(2) A master to whom paragraph (1) does not apply must pay.",
    ],
)
def test_other_words_limit_nothing(text: str) -> None:
    assert _limits(("1(1)", "A pilot must rest."), ("1(2)", text)) == {}


def test_paragraphs_of_another_rule_are_not_limited() -> None:
    rows = ("1(1)", "A pilot must rest."), ("2(1)", "Rest."), ("2(2)", "Paragraph (1) does not apply.")
    assert _limits(*rows) == {"p2": ["p3"]}


def test_paragraphs_with_one_section_id_are_known_by_how_they_open() -> None:
    rows = ("1", "(1) A pilot must rest."), ("1", "(2) Paragraph (1) does not apply to a tug.")
    assert _limits(*rows) == {"p1": ["p2"]}


def test_a_paragraph_does_not_limit_itself() -> None:
    assert _limits(("1(1)", "Paragraph (1) does not apply to a tug.")) == {}


def test_paragraphs_of_a_rule_without_a_number_are_not_known() -> None:
    rows = ("", "(1) A pilot must rest."), ("", "(2) Paragraph (1) does not apply to a tug.")
    assert _limits(*rows) == {}
