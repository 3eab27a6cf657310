"""Words that are replaced wherever a document has them."""

from __future__ import annotations

import pytest

NAMES = {"h": ["Harbour Rules 2018"], "am": ["Harbour (Amendment) Rules 2020"]}
RULES = [("h", "1", "A tug must stop."), ("h", "2", "A tug must pay."), ("h", "3", "The tugs must rest.")]
LEAD = ("am", "2", "The Harbour Rules 2018 are amended as follows.")


def _changed(reading, *texts: str, rows=()) -> list[str]:
    amending = [("am", str(number), text) for number, text in enumerate(texts, start=3)]
    edges = reading("english_rulebook", [*RULES, *rows, *amending], NAMES).edges
    return edges.filter(type="SUPERSEDES")["target_id"].to_list()


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("In the Harbour Rules 2018, for “tug”, wherever it occurs, substitute “ship”.", [1, 2]),
        ("In the Harbour Rules 2018, for “tug” (wherever it occurs) substitute “ship”.", [1, 2]),
        ("In the Harbour Rules 2018, for “tug” substitute “ship” in each place where it occurs.", [1, 2]),
        ("In the principal Rules, for the word “tug”, wherever it occurs, substitute “ship”.", [1, 2]),
        (
            "The principal Rules are amended by deleting the word “tug” wherever it appears and substituting "
            "“ship”.",
            [1, 2],
        ),
        (
            "In the Harbour Rules 2018, for “tug”, wherever it occurs, other than in rule 2, substitute "
            "“ship”.",
            [1],
        ),
        # Of one rule, of another document, or in one place of which it is not said where it is
        ("In rule 1 of the Harbour Rules 2018, for “tug”, wherever it occurs, substitute “ship”.", [1]),
        ("In the Harbour Rules 2018, in rule 1, for “tug”, wherever it occurs, substitute “ship”.", [1]),
        ("In the Sea Rules 2018, for “tug”, wherever it occurs, substitute “ship”.", []),
        ("In the Harbour Rules 2018, for “tug” substitute “ship”.", []),
    ],
)
def test_every_rule_with_the_words_is_changed(reading, text: str, changed: list[int]) -> None:
    assert _changed(reading, text) == [f"h:{number}" for number in changed]


def test_a_lead_in_may_name_the_document(reading) -> None:
    text = "For “tug”, wherever it occurs, substitute “ship”."
    assert _changed(reading, text, rows=[LEAD]) == ["h:1", "h:2"]
    assert _changed(reading, text) == []
