from __future__ import annotations

import pytest

from rulerank.refwalk.benchmark.levels import level_of

FOUR = "The Port Authority tells the Coast Commission, the Labour Court and the Tide Bureau."


@pytest.mark.parametrize(
    ("texts", "documents", "expected"),
    [
        (["A pilot keeps a log."], ["a"], "L1"),
        (["A pilot keeps a log."] * 2, ["a", "a"], "L2"),
        (["A pilot keeps a log if a tug is near."], ["a"], "L2"),
        (["A pilot keeps a log."] * 2, ["a", "b"], "L3"),
        ([FOUR], ["a"], "L3"),
        ([FOUR.replace(", the Labour Court", "")], ["a"], "L1"),
        (["A pilot keeps what the Harbour Safety Act 2010 demands."], ["a"], "L3"),
        (["A pilot keeps what the Tug Rules demand."], ["a"], "L1"),
        (["Whoever keeps no log pays a fine if a tug is near."], ["a"], "L4"),
    ],
)
def test_first_level_whose_rule_holds(texts: list[str], documents: list[str], expected: str) -> None:
    assert level_of(texts, documents, 1, {"tug rules"}) == expected
