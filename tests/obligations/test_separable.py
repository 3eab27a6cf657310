"""Whether a lead-in says something without its items."""

from __future__ import annotations

import pytest

from rulerank.obligations import unfinished


@pytest.mark.parametrize(
    ("lead", "breaks_off"),
    [
        ("A master must:", True),
        ("A tug may call only :", True),
        ("A master shall not —", True),
        ("A master must ensure that:", True),
        ("The classes of vessel are", True),
        ("Dues are not payable from：", True),
        ("A master must rest:", False),
        ("A tug need not call if:", False),
        ("The master must call the following stations:", False),
        ("The harbour is what it is called at Osto:", False),
    ],
)
def test_a_lead_in_is_unfinished_if_it_breaks_off_before_what_it_says(lead: str, breaks_off: bool) -> None:
    assert unfinished(lead) is breaks_off
