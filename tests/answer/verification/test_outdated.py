from __future__ import annotations

import pytest

from rulerank.answer.verification.outdated import outdated
from rulerank.passages import Passage


@pytest.mark.parametrize(
    ("claim", "gone"),
    [
        ("A firm must not omit a fact.", "Act 1"),
        ("Facts must not be omitted by a firm.", "Act 1"),
        ("Rule 1 is omitted.", None),
        ("Rule 1 shall be omitted.", None),
        ("The ban on omitting facts no longer applies.", None),
    ],
)
def test_a_word_of_the_rule_tells_of_its_repeal_only_where_it_states_one(
    claim: str, gone: str | None
) -> None:
    own = {"document_id": "act", "document": "Act"}
    rule = Passage(
        passage_id="p1", section="1", text="A firm must not omit a fact.", voided_by=("p2",), **own
    )
    repeal = Passage(passage_id="p2", section="2", text="Rule 1 shall be omitted.", **own)
    assert outdated(claim, [rule, repeal]) == gone


@pytest.mark.parametrize(
    ("rule", "claim", "gone"),
    [
        ("A log is kept for five years (formerly seven years).", "A log is kept for seven years.", "7 year"),
        ("A log is kept for five years (previously seven years).", "A log is kept for five years.", None),
        ("A log is kept for five years, previously seven years.", "A log is kept for seven years.", "7 year"),
        (
            "A log is kept for five years instead of the previous seven.",
            "A log is kept for five years.",
            None,
        ),
        (
            "A log is kept for five years (formerly seven years).",
            "A log is kept for five years (formerly seven years).",
            None,
        ),
        (
            "A log is kept for 5 years (formerly 7 years).",
            "Logs were previously kept for 7 years and are now kept for 5 years.",
            None,
        ),
        (
            "A member (previously licensed for 5 years) may apply.",
            "A member licensed for 5 years before may apply.",
            None,
        ),
        ("A vessel (formerly registered in 2005) is exempt.", "A vessel registered in 2005 is exempt.", None),
        # Another rule of the passage still holds the figure.
        (
            "A log is kept for five years (formerly seven years). A chart is kept for seven years.",
            "A chart is kept for seven years.",
            None,
        ),
        (
            "A person formerly licensed for seven years must tell.",
            "A person licensed for seven years must tell.",
            None,
        ),
    ],
)
def test_a_figure_that_held_formerly_is_no_longer_in_force(rule: str, claim: str, gone: str | None) -> None:
    own = Passage(passage_id="p1", section="1", text=rule, document_id="act", document="Act")
    assert outdated(claim, [own]) == gone
