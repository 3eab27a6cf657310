"""Passages of an act, by number."""

from __future__ import annotations

from rulerank.passages import Passage


def numbered(number: int, text: str, *voided_by: str) -> Passage:
    """Return rule 4.2.`number`, whose id is act:`number`."""
    return Passage(
        passage_id=f"act:{number}",
        document_id="act",
        document="Act",
        section=f"4.2.{number}",
        text=text,
        voided_by=voided_by,
    )
