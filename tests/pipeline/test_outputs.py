from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import TABLES
from rulerank.tables import FOLDS, JUDGEMENTS, QUERIES


def _queries(*splits: str) -> pl.DataFrame:
    rows = [(f"q{n}", f"What of {n}?", split, "toy", None, None) for n, split in enumerate(splits)]
    return pl.DataFrame(rows, schema=dict(QUERIES.columns), orient="row")


def _judged(*rows: tuple[str, int]) -> pl.DataFrame:
    judged = [(query_id, "p1", relevance) for query_id, relevance in rows]
    return pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row")


def test_validation_questions_are_required_where_they_are_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FOLDS.write(FOLDS.empty(), TABLES / "folds.parquet")
    QUERIES.write(_queries("train", "validation", "test"), TABLES / "queries.parquet")
    JUDGEMENTS.write(_judged(("q1", 1)), TABLES / "judgements.parquet")
    assert Outputs().validation()["query_id"].to_list() == ["q1"]
    for queries, judged in (
        (_queries("train", "test"), _judged(("q0", 1))),
        (_queries("train", "validation", "test"), _judged(("q0", 1), ("q1", 0))),
    ):
        QUERIES.write(queries, TABLES / "queries.parquet")
        JUDGEMENTS.write(judged, TABLES / "judgements.parquet")
        with pytest.raises(InputError, match="expected validation questions with text and a relevant pass"):
            Outputs().validation()
