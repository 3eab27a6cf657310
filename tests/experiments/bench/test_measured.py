"""Measurements of a real, small ranker."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from experiments.bench import ours
from experiments.bench.first_answer import first_answer
from experiments.bench.latency import steps, whole
from experiments.bench.many import answers, extraction
from experiments.bench.questions import read_judged, spread_out
from rulerank.errors import InputError
from rulerank.features.registry import registered
from rulerank.files import read_json

ASKED = ["Who pays the berth fee?", "When is it due?"]


def test_whole_answers_and_their_steps_are_timed(bundle: Path) -> None:
    rows = [*whole(bundle, ASKED, 1, 2), *steps(bundle, ASKED, 1, 2)]
    p50 = {row["measurement"]: row["p50"] for row in rows}
    assert all(row["repeats"] == 2 and row["unit"] == "ms" for row in rows)
    assert 0 < p50["of it candidates"] < p50["without the encoder"]
    assert p50["Ranker.rank, reasons 0"] > p50["encoder and analysis"]


def test_many_answers_are_as_good_as_the_evaluation_says(pipeline: Path) -> None:
    bundle = pipeline / "outputs/bundle"
    queries, judgements = read_judged(bundle, None)
    ranked, listed, recall = answers(bundle, queries, judgements, workers=2, repeats=1)
    measured = read_json(bundle.parent / "evaluation/metrics.json")["validation"]
    assert queries.height == measured["queries"]
    assert recall["p50"] == pytest.approx(measured["runs"]["ranker"]["Recall@10"])
    assert [row["measurement"].partition(",")[0] for row in (ranked, listed)] == [
        "Ranker.rank_many",
        "Ranker.runs",
    ]
    assert min(ranked["p50"], listed["p50"]) > 0


def test_extraction_is_measured_for_three_feature_sets(bundle: Path) -> None:
    queries = pl.DataFrame({"text": ASKED})
    rows = extraction(bundle, queries, threads=1, workers=2, repeats=1)
    every = len(registered())
    without = len(registered().of_pass(1).without("late"))
    assert [row["measurement"] for row in rows] == [
        "extraction, ObliQA-MP (25 features), 2 workers",
        f"extraction, one pass without late ({without} features), 2 workers",
        f"extraction, all ({every} features), 2 workers",
    ]
    assert all(row["p50"] > 0 for row in rows)


def test_every_candidate_is_described(bundle: Path) -> None:
    ranker = ours.load(bundle, 1)
    queries = ours.prepare(ranker, ASKED)
    _, candidates = ranker.runs(pl.DataFrame({"query_id": ["a", "b"], "text": ASKED}))
    assert ours.pairs(ours.describe(ranker, queries)) == candidates.height


def test_first_answer_says_seconds_and_memory(bundle: Path) -> None:
    said = first_answer(str(bundle), ASKED[0])
    parts = said["load"] + said["first answer"]
    assert said["load to first answer"] == pytest.approx(parts)
    assert 10 < said["of it this process's own, USS"] <= said["resident memory, RSS"]


def test_file_of_questions_is_read(bundle: Path, pipeline: Path) -> None:
    queries, judgements = read_judged(bundle, pipeline / "data/sample/questions_test.json")
    assert queries.height > 0
    assert set(judgements["query_id"]) == set(queries["query_id"])


def test_run_without_validation_questions_asks_for_a_file(pipeline: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    source = pipeline / "outputs/tables"
    pl.read_parquet(source / "queries.parquet").filter(pl.col("split") == "test").write_parquet(
        tables / "queries.parquet"
    )
    (tables / "judgements.parquet").write_bytes((source / "judgements.parquet").read_bytes())
    with pytest.raises(InputError, match=r"expected judged questions .* Give a file"):
        read_judged(tmp_path / "bundle", None)


def test_questions_are_spread_over_all_of_them() -> None:
    texts = pl.Series(list("abcdefg"))
    assert spread_out(texts, 3) == ["a", "d", "g"]
    assert spread_out(texts, 9) == list("abcdefg")
