from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import polars as pl
import pytest

from rulerank.evaluate.significance import compare
from rulerank.files import read_json, write_json

PROJECT = Path(__file__).parent.parent.parent
SCRIPT = str(PROJECT / "experiments/conclusion.py")
SEED, PERMUTATIONS = 7, 200

Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def folder(pipeline: Path, tmp_path: Path) -> Path:
    """The files of a run that the script reads, to be changed."""
    shutil.copy(pipeline / "params.yaml", tmp_path)
    for name in ("bundle", "evaluation", "tables"):
        shutil.copytree(pipeline / "outputs" / name, tmp_path / "outputs" / name)
    return tmp_path


def test_ten_lines_say_what_was_made_how_good_it_is_and_what_to_type(pipeline: Path, script: Run) -> None:
    said = script(pipeline, SCRIPT)
    lines = said.stdout.strip().splitlines()
    assert said.returncode == 0
    assert len(lines) == 10
    manifest = read_json(pipeline / "outputs/figures/prepare.json")
    assert f"a ranker of {manifest['passages']:,} passages in {manifest['documents']} documents" in lines[0]
    measured = read_json(pipeline / "outputs/evaluation/metrics.json")["validation"]
    assert f"On {measured['queries']} validation questions: " in lines[2]
    assert f"nDCG@10 {measured['runs']['ranker']['nDCG@10']:.4f}" in lines[2]
    assert [line.split()[0] for line in lines[-3:]] == ["rulerank", "rulerank", "make"]


def test_ranker_is_compared_with_the_best_of_the_runs_that_are_no_trees(pipeline: Path, script: Run) -> None:
    line = next(line for line in script(pipeline, SCRIPT).stdout.splitlines() if "best baseline" in line)
    scores = pl.read_parquet(pipeline / "outputs/evaluation/per_query.parquet")
    scores = scores.filter(pl.col("split") == "validation")
    learnt = pl.col("run").str.starts_with("ranker") | (pl.col("run") == "first_pass")
    means = scores.filter(~learnt).group_by("run").agg(pl.col("nDCG@10").mean())
    best, value = means.sort("nDCG@10", descending=True).row(0)
    difference = compare(scores, "ranker", [best], "nDCG@10", PERMUTATIONS, SEED)["difference"][0]
    word = "gains" if difference > 0 else "loses"
    assert f"{best}, has nDCG@10 {value:.4f}: the ranker {word} {abs(difference):.4f} (95 %" in line


def test_question_in_the_commands_is_quoted_for_the_shell(folder: Path, script: Run) -> None:
    path = folder / "outputs/tables/queries.parquet"
    queries = pl.read_parquet(path)
    changed = pl.when(pl.col("split") == "validation").then(pl.lit("Who's  the\n$(pilot)?"))
    queries.with_columns(text=changed.otherwise("text")).write_parquet(path)
    rank = script(folder, SCRIPT).stdout.splitlines()[-3]
    assert shlex.split(rank) == ["rulerank", "rank", "outputs/bundle", "Who's the $(pilot)?"]


def test_ranker_that_loses_is_said_to(folder: Path, script: Run) -> None:
    path = folder / "outputs/evaluation/per_query.parquet"
    scores = pl.read_parquet(path)
    worse = pl.when(pl.col("run") == "ranker").then(0.0).otherwise("nDCG@10")
    scores.with_columns(worse.alias("nDCG@10")).write_parquet(path)
    said = script(folder, SCRIPT).stdout
    assert re.search(r"the ranker loses 0\.\d{4} \(95 % interval of the difference -0", said)


def test_run_without_validation_questions_says_that_nothing_was_measured(folder: Path, script: Run) -> None:
    metrics = folder / "outputs/evaluation/metrics.json"
    write_json(metrics, {"test": read_json(metrics)["test"]})
    said = script(folder, SCRIPT).stdout
    assert "There were no validation questions, so its quality was not measured." in said


def test_folder_without_a_run_is_told_what_to_type(tmp_path: Path, script: Run) -> None:
    said = script(tmp_path, SCRIPT)
    assert said.returncode == 1
    assert "Run `make reproduce`." in said.stderr
