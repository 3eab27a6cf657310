"""A generator from outside the package, in all stages and in the exported ranker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from rulerank.bundle import FIRST_PASS, RANKER, verify_bundle
from rulerank.ranker import Ranker

RUNS = ["bm25", "dense", "tests.retrieve.tf_idf:TfIdf"]


def test_plugged_in_generator_finds_candidates_gives_features_and_is_exported(
    workshop: Any, write: Any
) -> None:
    write()
    few = {"data": {"root": "data"}, "adapter": {"epochs": 1}, "ranker": {"num_iterations": 5}}
    workshop.write_params(workshop.folder, {**few, "candidates": {"runs": RUNS}})
    workshop.up_to("evaluate")
    columns = pl.read_parquet_schema(workshop.outputs / "features.parquet")
    assert {"tf_idf_score", "tf_idf_rank", "tf_idf_share"} <= set(columns)
    assert "tf_idf" in workshop.read("evaluation/metrics.json")["test"]["runs"]
    ranker = Ranker.load("outputs/bundle")
    for name in (RANKER, FIRST_PASS):
        assert "tf_idf_score" in ranker.bundle.trained[name].features.names
    assert len(ranker.rank("What does a baker owe?", k=3)) == 3
    verify_bundle(Path("outputs/bundle"))
