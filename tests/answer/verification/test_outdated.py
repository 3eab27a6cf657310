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
