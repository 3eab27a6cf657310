"""Rule a was replaced by b, b by c; d stands alone."""

import polars as pl
import pytest

from rulerank.authority.shown import order_of_passages
from rulerank.evaluate.controlling import controlling

IDS = pl.Series(["a", "b", "c", "d"])
ORDER = order_of_passages(
    pl.DataFrame({"source_id": ["b", "c"], "target_id": ["a", "b"], "type": ["SUPERSEDES"] * 2}), IDS
)


def _measured(gold: str, **runs: str) -> dict[str, dict[str, float]]:
    judged = pl.DataFrame(
        {"query_id": ["q"] * len(gold), "passage_id": list(gold), "relevance": [1] * len(gold)}
    )
    rows = [
        {"run": run, "query_id": "q", "passage_id": each, "rank": rank}
        for run, listed in runs.items()
        for rank, each in enumerate(listed, 1)
    ]
    frame = controlling(judged, pl.DataFrame(rows), ORDER, IDS)
    return {row.pop("run"): row for row in frame.to_dicts()}


@pytest.mark.parametrize(
    ("listed", "tca", "accompanied", "violation"),
    [
        ("c", 1, 1, 0),  # only the controlling rule
        ("ac", 1, 1, 0),  # the voided rule next to the one in force
        ("ad", 0, 1, 1),  # only a voided rule: c is in the completed list alone
        ("d", 0, 0, 0),  # nothing voided, nothing required
    ],
)
def test_lists_are_measured_as_they_stand_and_with_what_is_in_force(
    listed, tca, accompanied, violation
) -> None:
    row = _measured("c", ranker=listed)["ranker"]
    assert (row["TCA@5"], row["accompanied_TCA@5"], row["closure_violation@5"]) == (
        tca,
        accompanied,
        violation,
    )
    assert row["queries"] == 1


def test_of_judged_passages_only_those_in_force_among_them_are_asked_for() -> None:
    assert _measured("ac", ranker="c")["ranker"]["TCA@10"] == 1
    assert _measured("cd", ranker="c")["ranker"]["TCA@10"] == 0


def test_question_that_a_run_misses_has_no_controlling_list() -> None:
    judged = pl.DataFrame({"query_id": ["q", "r"], "passage_id": ["c", "d"], "relevance": [2, 1]})
    runs = pl.DataFrame({"run": ["bm25"], "query_id": ["q"], "passage_id": ["c"], "rank": [1]})
    frame = controlling(judged, runs, ORDER, IDS)
    assert frame.select("run", "queries", "TCA@5").rows() == [("bm25", 2, 0.5)]
