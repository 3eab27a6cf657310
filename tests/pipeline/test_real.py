"""Minimum results on the public data, read from the last run of the pipeline on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulerank.files import read_json

OUTPUTS = Path(__file__).parent.parent.parent / "outputs"

pytestmark = pytest.mark.real


@pytest.fixture
def validation(obliqa: Path) -> dict[str, Any]:
    """Return the validation figures of the last run, if it was on these same files."""
    manifest = OUTPUTS / "bundle/manifest.json"
    said = read_json(manifest)["data"]["files"] if manifest.is_file() else {}
    if "ObliQA_train.json" not in said:
        pytest.skip(f"run `make reproduce DATA={obliqa}` first: these tests read the figures of that run")
    figures: dict[str, Any] = read_json(OUTPUTS / "evaluation/metrics.json")["validation"]
    return figures


@pytest.mark.parametrize(
    ("run", "measure", "bar"),
    [
        ("ranker", "nDCG@10", 0.71),
        ("ranker", "Recall@10", 0.74),
        ("ranker", "FullCov@10", 0.50),
        ("ranker_without_judgement", "nDCG@10", 0.68),
        ("ranker_without_judgement", "Recall@10", 0.69),
    ],
)
def test_run_reaches_its_bar(validation: dict[str, Any], run: str, measure: str, bar: float) -> None:
    assert validation["runs"][run][measure] >= bar


def test_candidates_hold_the_relevant_passages(validation: dict[str, Any]) -> None:
    assert validation["candidate_recall"] >= 0.88


def test_ranker_gains_significantly_over_the_best_single_run_and_the_fusion(
    validation: dict[str, Any],
) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in (OUTPUTS / "evaluation/report.md").read_text().splitlines()
        if line.startswith("| validation | ranker |") and "ranker_without_judgement" not in line
    ]
    assert {row[3] for row in rows} == {"nDCG@10", "Recall@10"}
    assert all(float(row[4]) > 0 and float(row[8].removeprefix("< ")) < 0.01 for row in rows)


def test_stages_stay_within_their_time_and_memory(validation: dict[str, Any]) -> None:
    timings = [read_json(path) for path in (OUTPUTS / "timings").glob("*.json")]
    assert sum(each["seconds"] for each in timings) <= 20 * 60
    assert max(each["peak_memory_mib"] for each in timings) <= 5 * 1024
    assert read_json(OUTPUTS / "timings/extract.json")["pairs_per_second"] >= 60_000
