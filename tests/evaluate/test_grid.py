from __future__ import annotations

import polars as pl
import pytest

from rulerank.evaluate.grid import Point, grid_page


def _point(held_out: str, **found: float) -> Point:
    """Four questions about a document, all with the same measures in a run."""
    rows = [
        (run, f"{held_out}{question}", value, value, value, 0.0)
        for run, value in found.items()
        for question in range(4)
    ]
    names = ["run", "query_id", "Recall@10", "MAP@10", "nDCG@10", "FullCov@10"]
    return Point({"prepare.held_out_documents": [held_out]}, pl.DataFrame(rows, schema=names, orient="row"))


FIRST = _point("a", bm25=0.3, rrf=0.4, first_pass=0.9, ranker=0.5)
SECOND = _point("b", bm25=0.6, rrf=0.4, first_pass=0.9, ranker=0.5)


def test_baseline_is_the_best_run_that_no_ranker_made() -> None:
    assert (FIRST.baseline, SECOND.baseline) == ("rrf", "bm25")


def test_each_point_is_shown_beside_its_own_baseline() -> None:
    page = grid_page([FIRST, SECOND], permutations=100, seed=7)
    assert "| a | ranker | 4 | 0.5000 | 0.5000 | 0.5000 | 0.0000 | rrf | 0.4000 | 0.1000 |" in page
    assert "| b | ranker | 4 | 0.5000 | 0.5000 | 0.5000 | 0.0000 | bm25 | 0.6000 | -0.1000 |" in page


def test_points_without_a_common_question_are_compared_together() -> None:
    page = grid_page([FIRST, SECOND], permutations=100, seed=7)
    (row,) = [line for line in page.splitlines() if line.startswith("| ranker |")]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert [float(cell) for cell in cells[1:3]] == pytest.approx([0, 0], abs=1e-4)
    assert cells[-2:] == ["4", "4"]


def test_points_of_the_same_questions_are_not_compared_together() -> None:
    assert "mean_gain" not in grid_page([FIRST, FIRST], permutations=100, seed=7)
