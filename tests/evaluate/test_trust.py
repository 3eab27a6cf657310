"""The table of what judgements are worth."""

from __future__ import annotations

import polars as pl

from rulerank.evaluate.trust import page, table_of


def test_questions_are_counted_by_the_share_of_judged_leaders() -> None:
    found = pl.DataFrame(
        {
            "hidden": [False, False, True],
            "leaders_judged": [0.25, 0.29, 1.0],
            "new": [0.5, 0.7, 1 / 3],
            "itself": [0.1, 0.2, 0.4],
            "trusted": [0.5, 0.2, 0.4],
        }
    )
    table = table_of(found, ("new", "itself"))
    assert table.rows() == [
        (False, "0.2", 2, 0.6, 0.15, 0.35),
        (False, "all", 2, 0.6, 0.15, 0.35),
        (True, "0.9", 1, 0.333333, 0.4, 0.4),
        (True, "all", 1, 0.333333, 0.4, 0.4),
    ]
    text = page({"leaders_judged": (0.2, 0.7), "leaders_covered": (0.98, 0.98)}, table)
    assert "leaders_judged 0.2 and 0.7, leaders_covered 0.98 and 0.98." in text
