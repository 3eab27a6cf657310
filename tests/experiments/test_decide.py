"""A setting measured on training questions, as a user would do it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

DECISIONS = {
    "rounds": {"about": "what no ranker looks at", "key": "evaluate.permutations", "values": [150, 100]}
}


@pytest.fixture
def deciding(place: Path) -> Path:
    (place / "experiments/decisions.yaml").write_text(yaml.safe_dump(DECISIONS))
    (place / "experiments/named/trial.yaml").write_text(
        yaml.safe_dump({"about": "A small ranker of the sample.", "params": {}})
    )
    return place


def test_each_value_is_measured_by_folds_and_compared_with_the_default(
    deciding: Path, run: Callable[..., Any]
) -> None:
    done = run(deciding, "experiments/decide.py", "rounds", "--on", "trial")
    assert done.returncode == 0, done.stderr
    assert "Running stage" not in done.stdout, "no stage up to the ranker looks at this setting"
    table = (deciding / "runs/decisions/table.md").read_text()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in table.splitlines()
        if "| rounds |" in line
    ]
    default, other = (
        next(row for row in rows if row[3:6] == ["several", "ranker", value]) for value in ("150", "100")
    )
    measured = pl.read_parquet(deciding / "runs/trial/outputs/out_of_fold.parquet")
    several = measured.filter(~pl.col("hidden"), pl.col("relevant") > 1, run="ranker")
    assert default[6:8] == [str(several.height), f"{several['nDCG@10'].mean():.4f}"]
    assert other[6:9] == [*default[6:8], "0.0000"]


def test_unknown_decision_and_a_table_of_nothing_are_errors(
    deciding: Path, script: Callable[..., Any]
) -> None:
    done = script(deciding, "experiments/decide.py", "depth")
    assert done.returncode == 1
    assert "depth: expected a decision, one of: rounds." in done.stderr
