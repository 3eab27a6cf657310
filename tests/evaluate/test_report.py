from __future__ import annotations

import polars as pl

from rulerank.evaluate.report import markdown_table, results_markdown


def test_markdown_table_rounds_aligns_and_escapes() -> None:
    frame = pl.DataFrame({"run": ["a|b", "c"], "queries": [3, 12], "MAP@10": [0.12345, None]})
    assert markdown_table(frame, digits=3) == (
        "| run | queries | MAP@10 |\n|---|---:|---:|\n| a\\|b | 3 | 0.123 |\n| c | 12 | – |\n"
    )


def test_results_markdown_states_everything_once() -> None:
    averages = pl.DataFrame({"run": ["bm25"], "level": [None], "queries": [2], "nDCG@10": [0.5]})
    comparisons = pl.DataFrame(
        {
            "run": ["ltr"] * 2,
            "baseline": ["bm25", "rrf"],
            "difference": [0.1, 0.2],
            "p_value": [0.00002, 0.03],
        }
    )
    report = results_markdown({"validation": averages}, comparisons, {"data": "sample", "seed": 7})
    assert report.startswith(
        "# Results\n\ndata: sample; seed: 7.\n\n## validation\n\n| run | queries | nDCG@10 |\n"
    )
    assert (
        "| ltr | bm25 | 0.1000 | < 0.0001 | < 0.0001 |\n| ltr | rrf | 0.2000 | 0.0300 | 0.0300 |\n" in report
    )


def test_results_markdown_without_comparisons_has_no_section_for_them() -> None:
    averages = {"test": pl.DataFrame({"run": ["bm25"], "MAP@10": [0.5]})}
    report = results_markdown(averages, pl.DataFrame(), {"data": "sample"})
    assert "Paired" not in report
