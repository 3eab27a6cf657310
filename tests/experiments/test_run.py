from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import mlflow
import pytest
import yaml

from rulerank.evaluate.published import read_published
from rulerank.features.registry import registered
from rulerank.pipeline.experiment import grid_points, merged, read_experiment
from rulerank.settings import Settings, nested

PROJECT = Path(__file__).parent.parent.parent
NAMES = sorted(path.stem for path in (PROJECT / "experiments/named").glob("*.yaml"))
Run = Callable[..., CompletedProcess[str]]


@pytest.fixture(scope="module")
def finished(place: Path, run: Run) -> Path:
    """The same after the experiment has run with its grid; its results are recorded as expected."""
    done = run(place, "experiments/run.py", "trial", "--grid")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"Running stage '(\w+)'", done.stdout) == ["track", "track"], "one for each point"
    assert "no expected results yet: python experiments/check.py trial --record" in done.stdout
    unknown = run(place, "experiments/check.py", "trial")
    assert unknown.returncode == 1
    assert "Make one from this run: `python experiments/check.py trial --record`" in unknown.stderr
    assert run(place, "experiments/check.py", "trial", "--record").returncode == 0
    return place


@pytest.fixture
def expected(finished: Path) -> Any:
    """The expected results, which a test may spoil; restored afterwards."""
    path = finished / "experiments/expected/trial.json"
    kept = path.read_bytes()
    yield path
    path.write_bytes(kept)


def test_page_shows_our_rows_the_published_ones_and_what_they_cost(finished: Path, trial: Any) -> None:
    page = (finished / "runs/trial/page.md").read_text()
    measured = json.loads((finished / "runs/trial/outputs/evaluation/metrics.json").read_text())
    ours = measured["validation"]
    cells = " | ".join(f"{ours['runs']['ranker'][name]:.4f}" for name in ("Recall@10", "MAP@10", "nDCG@10"))
    assert trial["about"] in page
    assert f"| this run | ranker | sample | validation | {ours['queries']} | – | {cells} |" in page
    published = "| ObliQA-MP | test | 447 | no | 0.6403 | 0.5116 | 0.6298 | – |"
    assert f"| ObliQA-MP: feature-based learning to rank | learning to rank {published}" in page
    assert "| sum, maximum |" in page
    assert "### Paired comparisons" in page
    assert "<h1>trial</h1>" in (finished / "runs/trial/page.html").read_text()


def test_grid_gives_one_tracked_run_a_point(finished: Path) -> None:
    page = (finished / "runs/trial/page.md").read_text()
    assert "| track.experiment | run | questions |" in page
    assert "| others | ranker | 12 |" in page
    mlflow.set_tracking_uri(f"sqlite:///{finished}/mlflow.db")
    runs = mlflow.search_runs(search_all_experiments=True, output_format="list")
    tracked = {each.info.run_name: each.data.params["track.experiment"] for each in runs}
    assert tracked == {"trial": "rulerank", "trial: experiment others": "others"}
    assert {each.data.params["track.model"] for each in runs} == {"trial"}
    assert all(f"{finished}/mlruns" in each.info.artifact_uri for each in runs)


def test_run_has_the_params_of_the_project_but_for_the_experiment(finished: Path) -> None:
    params = yaml.safe_load((finished / "runs/trial/params.yaml").read_text())
    project = yaml.safe_load((finished / "params.yaml").read_text())
    assert (params["track"]["model"], project["track"]["model"]) == ("trial", "rulerank")
    assert params["ranker"] == project["ranker"]
    assert not (finished / "outputs").exists()


def test_second_run_drops_old_code_reruns_nothing_and_passes_its_check(finished: Path, script: Run) -> None:
    old = finished / "runs/trial/src/rulerank/features/old.py"
    old.write_text("")
    shared = finished / "runs/trial/data/feedback"
    shutil.rmtree(shared)
    shared.symlink_to(finished / "moved")  # as if the project had been elsewhere
    done = script(finished, "experiments/run.py", "trial")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Running stage" not in done.stdout
    assert "ranker_without_judgement" in done.stdout
    assert "NO" not in done.stdout
    assert not old.exists()
    assert shared.resolve() == (finished / "data/feedback").resolve()


def test_check_fails_on_another_figure(finished: Path, expected: Path, script: Run) -> None:
    changed = json.loads(expected.read_text())
    changed["runs"]["rrf"]["nDCG@10"]["value"] += 0.5
    expected.write_text(json.dumps(changed))
    done = script(finished, "experiments/check.py", "trial")
    assert done.returncode == 1
    assert done.stdout.count("NO") == 1


def test_results_of_another_point_are_neither_checked_nor_recorded(
    finished: Path, expected: Path, script: Run
) -> None:
    # A run that failed after a point of the grid leaves the results of that point.
    path, before = finished / "experiments/named/trial.yaml", expected.read_bytes()
    described = path.read_text()
    path.write_text(
        yaml.safe_dump({"about": "x", "params": {"prepare": {"folds": 4}, "adapter": {"epochs": 2}}})
    )
    for arguments in (["trial"], ["trial", "--record"]):
        done = script(finished, "experiments/check.py", *arguments)
        assert done.returncode == 1
        assert "found results of another prepare.folds: its last run did not finish" in done.stderr
    path.write_text(described)
    assert expected.read_bytes() == before


def test_check_of_other_data_is_an_error(finished: Path, expected: Path, script: Run) -> None:
    expected.write_text(json.dumps({**json.loads(expected.read_text()), "data": "obliqa"}))
    done = script(finished, "experiments/check.py", "trial")
    assert done.returncode == 1
    assert "expected results of obliqa, validation" in done.stderr
    assert "found sample, validation" in done.stderr


def test_unknown_key_is_named_with_the_file_it_stands_in(place: Path, script: Run) -> None:
    (place / "experiments/named/misspelt.yaml").write_text("about: x\nparams: {ranker: {num_leafs: 7}}\n")
    done = script(place, "experiments/run.py", "misspelt")
    assert done.returncode == 1
    assert "experiments/named/misspelt.yaml:" in done.stderr
    assert "ranker.num_leafs: unknown key; the nearest valid key is ranker.num_leaves" in done.stderr
    assert not (place / "runs/misspelt/params.yaml").exists()


def test_failing_stage_says_why_and_stops(place: Path, script: Run, tmp_path: Path) -> None:
    (place / "experiments/named/empty.yaml").write_text("about: x\n")
    done = script(place, "experiments/run.py", "empty", "--data", str(tmp_path))
    assert done.returncode == 1
    assert f"error: {tmp_path}: " in done.stderr
    assert "runs/empty: `dvc repro` failed; the reason is printed above." in done.stderr
    assert not (place / "runs/empty/page.md").exists()


@pytest.mark.parametrize("name", NAMES)
def test_named_experiment_can_be_run(name: str) -> None:
    experiment = read_experiment(PROJECT / "experiments/named", name)
    params = merged(yaml.safe_load((PROJECT / "params.yaml").read_text()), experiment.params)
    points = [{}, *(nested(point) for point in grid_points(experiment.grid))]
    settings = [Settings.model_validate(merged(params, point)) for point in points]
    registered().named(list(settings[0].extract.features or ()))
    read_published(PROJECT / "experiments/published.yaml", experiment.published)
