"""Changes that move a figure, end a rule or spare a part of it, from the citation to the answer."""

from __future__ import annotations

import pytest

from tests.answer.rules import as_read

FEE = "A barge must pay a fee of £10.50."


@pytest.mark.parametrize(
    "change",
    [
        "The fee in rule 1 is increased from £10.50 to £20.",
        "The fee of £10.50 in rule 1 is increased to £20.",
        "The fee of £10.50 prescribed by rule 1 is hereby raised to £20.",
        "In rule 1, the figure ‘£10.50’ is replaced by ‘£20’.",
        "Rule 1 is modified as follows: for “£10.50” read “£20”.",
    ],
)
def test_moved_figure_is_read_in_the_rule(change: str) -> None:
    assert as_read(FEE, change) == "- A barge must pay a fee of £10.50 [read as “£20”]. [P2][P1]"


@pytest.mark.parametrize(
    "change",
    [
        "Rule 1 stands repealed.",
        "Rule 1 is hereby annulled.",
        "Rule 1 is withdrawn.",
        "Rule 1 shall no longer apply.",
        "Rule 1 shall be read as follows: “A barge must pay £20.”",
    ],
)
def test_rule_that_is_gone_is_not_stated(change: str) -> None:
    assert "£10.50" not in as_read(FEE, change)


@pytest.mark.parametrize(
    "change",
    [
        "In rule 1, for “£10.50” read “£20” in this case: where the barge is long.",
        "Rule 1 is annulled, save for tugs.",
        "Rule 1 is revoked apart from its effect on tugs.",
    ],
)
def test_rule_that_is_spared_in_part_is_stated_with_its_change(change: str) -> None:
    assert as_read(FEE, change) == f"- A barge must pay a fee of £10.50. [{change}] [P2][P1]"
