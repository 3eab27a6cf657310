from __future__ import annotations

import pytest

from rulerank.passages import Passage


def passage(number: int, text: str, *voided_by: str) -> Passage:
    return Passage(
        passage_id=f"act:{number}",
        document_id="act",
        document="Harbour Act",
        section=str(number),
        text=text,
        voided_by=voided_by,
    )


@pytest.fixture
def sources() -> tuple[Passage, ...]:
    return (
        passage(1, "A pilot must rest for six hours after each watch."),
        passage(2, "The master must report a collision to the harbour office within 24 hours."),
        passage(3, "A tug may anchor in the roads."),
    )
