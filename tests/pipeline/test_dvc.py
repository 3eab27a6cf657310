"""DVC runs the pipeline: nothing runs twice, and a change reruns only what depends on it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from dvc.repo import Repo

from rulerank.evaluate.measures import MEASURES

SHOWN = (
    "prepare",
    "graph",
    "index",
    "encoder",
    "dense",
    "candidates",
    "late",
    "translation",
    "extract",
    "first_pass",
    "listwise",
    "tune",
    "trust",
    "unanswered",
    "selection",
    "obligations",
    "answers",
    "ranker",
)
"""The stages that write figures."""


@pytest.fixture
def dvc(pipeline: Path, run: Callable[..., Any]) -> Iterator[Callable[..., str]]:
    """Run a DVC command in the project; the test's changes to params and code are undone."""

    def _dvc(*arguments: str) -> str:
        done = run(pipeline, "-m", "dvc", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    code = (path for path in (pipeline / "src").rglob("*") if path.is_file() and path.suffix != ".pyc")
    kept = {path: path.read_bytes() for path in (pipeline / "params.yaml", pipeline / "dvc.lock", *code)}
    yield _dvc
    changed = [path for path, content in kept.items() if path.read_bytes() != content]
    for path in changed:
        path.write_bytes(kept[path])
    if pipeline / "dvc.lock" in changed:
        _dvc("checkout", "--force")


def _change(pipeline: Path, key: str, value: Any) -> None:
    params = yaml.safe_load((pipeline / "params.yaml").read_text())
    *sections, last = key.split(".")
    inner = params
    for section in sections:
        inner = inner[section]
    assert inner[last] != value
    inner[last] = value
    (pipeline / "params.yaml").write_text(yaml.safe_dump(params, sort_keys=False))


@pytest.fixture(scope="module")
def repo(pipeline: Path) -> Iterator[Repo]:
    """DVC over the finished run. It reads dvc.yaml and dvc.lock only once, because that takes seconds."""
    with Repo(pipeline) as repo:
        yield repo


def _stale(repo: Repo, changed: Path) -> set[str]:
    """Return the stages that DVC finds stale because of one file: the rest is as it was when they ran."""
    with repo.lock:
        return {
            stage.name
            for stage in repo.index.stages
            for read in stage.deps
            if changed.is_relative_to(read.fs_path) and read.status()
        }


def test_second_repro_does_nothing(dvc: Callable[..., str]) -> None:
    said = dvc("repro")
    assert "Running stage" not in said
    assert "Data and pipelines are up to date." in said


def test_project_keeps_the_lock_of_its_own_run(pipeline: Path) -> None:
    lock = yaml.safe_load((pipeline / "dvc.lock").read_text())
    assert list(lock["stages"]) == list(yaml.safe_load((pipeline / "dvc.yaml").read_text())["stages"])


@pytest.mark.parametrize(
    ("key", "value", "stale"),
    [
        ("sample.questions", 81, {"sample", "track"}),
        ("prepare.folds", 4, {"prepare", "export"}),
        ("graph.max_term_share", 0.2, {"graph", "export"}),
        ("finetune.scale", 19.0, {"encoder", "export"}),
        ("adapter.epochs", 3, {"encoder", "dense", "export"}),
        (
            "candidates.depth",
            40,
            {
                *("encoder", "index", "candidates", "extract", "listwise", "ranker"),
                *("trust", "unanswered", "export"),
            },
        ),
        (
            "extract.closure.edge_types",
            ["REFERENCES"],
            {
                *("index", "candidates", "extract", "first_pass", "listwise", "ranker"),
                *("trust", "unanswered", "export"),
            },
        ),
        ("affinity.trees", 30, {"ranker", "export"}),
        ("standing.penalty", 30.0, {"ranker", "export"}),
        ("trust.unjudged", 0.3, {"trust", "export"}),
        ("ranker.num_leaves", 7, {"first_pass", "tune"}),
        ("refwalk.pool", 20, {"export"}),
        ("answer.wrong_abstentions", 0.2, {"selection", "export"}),
        ("answer.obligations", "labelled.json", {"obligations", "export"}),
        ("evaluate.permutations", 300, {"evaluate", "answers", "track"}),
        ("explain.repeats", 2, {"explain", "track"}),
        ("track.experiment", "other", {"track"}),
    ],
)
def test_changed_param_makes_stale_what_reads_it(
    pipeline: Path, dvc: Callable[..., str], repo: Repo, key: str, value: Any, stale: set[str]
) -> None:
    _change(pipeline, key, value)
    assert _stale(repo, pipeline / "params.yaml") == stale


@pytest.mark.parametrize(
    ("module", "stale"),
    [
        ("cli.py", set()),
        ("graph/build.py", {"graph"}),
        ("graph/citations/grammars/korean.yaml", {"graph"}),
        ("learn/adapters/late.py", {"late"}),
        ("corpora/beir.py", {"sample", "obligations", "prepare", "evaluate", "answers"}),
        ("evaluate/measures.py", {"candidates", "ranker", "trust", "export", "evaluate", "explain"}),
        ("learn/ranker/lambdamart.py", {"first_pass", "tune", "ranker"}),
        (
            "bundle/load.py",
            {
                "ranker",
                "trust",
                "unanswered",
                "selection",
                "export",
                "evaluate",
                "explain",
                "answers",
                "track",
            },
        ),
        ("ranker/ranker.py", {"evaluate", "answers", "track"}),
    ],
)
def test_changed_library_file_makes_stale_the_stages_that_use_it(
    pipeline: Path, dvc: Callable[..., str], repo: Repo, module: str, stale: set[str]
) -> None:
    path = pipeline / "src/rulerank" / module
    path.write_text(path.read_text() + "\n# changed\n")
    assert _stale(repo, path) == stale


def test_changed_answer_threshold_reruns_from_the_export_on(pipeline: Path, dvc: Callable[..., str]) -> None:
    model = (pipeline / "outputs/bundle/ranker.txt").read_bytes()
    _change(pipeline, "answer.wrong_abstentions", 0.2)
    ran = re.findall(r"Running stage '(\w+)'", dvc("repro", "export"))
    assert ran == ["selection", "export"]
    with Repo(pipeline) as changed, changed.lock:
        stale = {stage.name for stage in changed.index.stages if stage.status()}
    assert stale == {"evaluate", "explain", "answers", "track"}
    assert (pipeline / "outputs/bundle/ranker.txt").read_bytes() == model


def test_failed_stage_loses_nothing(pipeline: Path, dvc: Callable[..., str], run: Callable[..., Any]) -> None:
    params = (pipeline / "params.yaml").read_bytes()
    before = (pipeline / "outputs/tables/queries.parquet").read_bytes()
    _change(pipeline, "prepare.folds", 1)
    failed = run(pipeline, "-m", "dvc", "repro", "prepare")
    assert failed.returncode != 0
    assert "prepare.folds: input should be greater than or equal to 2, found 1" in failed.stderr
    (pipeline / "params.yaml").write_bytes(params)
    assert "Running stage" not in dvc("repro", "prepare")
    assert (pipeline / "outputs/tables/queries.parquet").read_bytes() == before


def test_metrics_are_those_of_the_ranker_and_a_terminal_holds_them(
    pipeline: Path, dvc: Callable[..., str]
) -> None:
    shown = dvc("metrics", "show").splitlines()
    assert max(map(len, shown)) < 220
    measured = json.loads((pipeline / "outputs/evaluation/metrics.json").read_text())
    path, *values = shown[1].split()
    assert path == "outputs/evaluation/ranker.json"
    of_ranker = [measured[split]["runs"]["ranker"] for split in ("validation", "test")]
    assert sorted(map(float, values)) == pytest.approx(
        sorted(each[name] for each in of_ranker for name in MEASURES), abs=1e-4
    )


def test_every_stage_leaves_its_figures(pipeline: Path) -> None:
    assert {path.stem for path in (pipeline / "outputs/figures").iterdir()} == set(SHOWN)


def test_plots_are_declared_and_drawn(pipeline: Path, dvc: Callable[..., str]) -> None:
    dvc("plots", "show", "--out", "drawn")
    page = (pipeline / "drawn/index.html").read_text()
    shutil.rmtree(pipeline / "drawn")
    assert "Recall by depth" in page
    for drawn in ("Importance by gain", "Importance by permutation", "Calibration", "Differences"):
        assert drawn in page
    assert "bm25_context" in page
