from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import TABLES
from rulerank.tables import FOLDS, QUERIES


def _queries(*splits: str) -> pl.DataFrame:
    rows = [(f"q{n}", f"What of {n}?", split, "toy", None, None) for n, split in enumerate(splits)]
    return pl.DataFrame(rows, schema=dict(QUERIES.columns), orient="row")


def test_validation_questions_are_required_where_they_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FOLDS.write(FOLDS.empty(), TABLES / "folds.parquet")
    QUERIES.write(_queries("train", "validation", "test"), TABLES / "queries.parquet")
    assert Outputs().validation()["query_id"].to_list() == ["q1"]
    QUERIES.write(_queries("train", "test"), TABLES / "queries.parquet")
    with pytest.raises(InputError, match=r"expected validation questions with text, found none\. Add a"):
        Outputs().validation()
