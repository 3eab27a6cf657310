from __future__ import annotations

from typing import Any

import pytest

from rulerank.corpora.sample.difficulty import Properties, level

EASY = {
    "references": 1,
    "documents": 1,
    "facets": 1,
    "institutions": 1,
    "conditional": False,
    "sanction": False,
}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "L1"),
        ({"sanction": True}, "L1"),
        ({"conditional": True}, "L2"),
        ({"references": 2}, "L2"),
        ({"references": 3, "facets": 2}, "L2"),
        ({"references": 4, "conditional": True}, "L3"),
        ({"references": 2, "documents": 2}, "L3"),
        ({"references": 4}, "L3"),
        ({"facets": 3}, "L3"),
        ({"institutions": 3}, "L1"),
        ({"institutions": 4}, "L3"),
        ({"external": True}, "L3"),
        ({"conditional": True, "documents": 2}, "L4"),
        ({"conditional": True, "sanction": True}, "L4"),
        ({"conditional": True, "institutions": 4}, "L4"),
        ({"conditional": True, "facets": 3}, "L4"),
    ],
)
def test_level_is_the_first_rule_that_holds(changes: dict[str, int], expected: str) -> None:
    assert level(Properties(**(EASY | changes))) == expected


def test_levels_agree_with_the_judgements(sample: Any) -> None:
    for query_id, grades in sample.judged.items():
        found = sample.queries[query_id]["metadata"]["level"]
        if len({sample.document(key) for key in grades}) > 1:
            assert found in ("L3", "L4")
        elif len(grades) >= 4:
            assert found != "L1"
        if found == "L1":
            assert len(grades) == 1
