"""A stage that fails leaves the outputs of its last good run."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from rulerank.errors import InputError


def test_stage_that_fails_leaves_the_last_good_tables(workshop: Any, rulebook: Any, write: Any) -> None:
    write()
    workshop.stage("prepare")
    good = workshop.content("tables")
    rulebook.passages.append(rulebook.passages[0])
    write()
    with pytest.raises(InputError):
        workshop.stage("prepare")
    assert workshop.content("tables") == good
    assert [path.name for path in workshop.outputs.iterdir() if path.name.startswith(".")] == []


def test_ranker_that_fails_leaves_the_last_good_models(workshop: Any, write: Any) -> None:
    write()
    workshop.up_to("ranker")
    good = workshop.content("ranker")
    table = pl.read_parquet(workshop.outputs / "features.parquet")
    table.with_columns(relevance=pl.lit(0, pl.Int8)).write_parquet(workshop.outputs / "features.parquet")
    with pytest.raises(InputError):
        workshop.stage("ranker")
    assert workshop.content("ranker") == good


def test_stage_without_the_one_before_it_says_what_to_run(workshop: Any) -> None:
    with pytest.raises(InputError, match=r"passages\.parquet: expected the passages table, found no file"):
        workshop.stage("graph")
