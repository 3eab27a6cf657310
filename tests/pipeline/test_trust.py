"""The stage trust: from where judgements are trusted, and the table from which that was chosen."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rulerank.bundle import ON_NEW_RULES
from rulerank.features.trust import COVERED
from rulerank.files import read_json


@pytest.fixture
def table(pipeline: Path) -> pl.DataFrame:
    """The table of the pipeline on the sample."""
    return pl.read_csv(pipeline / "outputs/trust/trust.csv", schema_overrides={"judged": pl.String})


def test_the_bundle_has_the_limits_that_were_chosen(pipeline: Path) -> None:
    limits = read_json(pipeline / "outputs/trust/limits.json")
    assert read_json(pipeline / "outputs/bundle/trust.json") == limits
    assert limits["leaders_covered"] == [COVERED, COVERED]
    half, full = limits["leaders_judged"]
    page = (pipeline / "outputs/trust/trust.md").read_text()
    assert f"leaders_judged {half} and {full}" in page
    assert f"`new` the model `{ON_NEW_RULES}`" in " ".join(page.split())


def test_every_question_is_counted_once_with_and_once_without_its_answers_judged(table: pl.DataFrame) -> None:
    counts = table.group_by("hidden", pl.col("judged") == "all").agg(pl.col("questions").sum())
    assert counts.height == 4
    assert counts["questions"].n_unique() == 1


def test_hidden_answers_change_nothing_for_the_model_that_looks_at_no_judgement(table: pl.DataFrame) -> None:
    means = table.filter(judged="all").sort("hidden")
    shown, hidden = means["new"].to_list()
    assert shown == hidden
    assert means["itself"].n_unique() == 2
