from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlflow
import polars as pl
import pytest

from rulerank.evaluate.measures import MEASURES

SCRIPT = Path(__file__).parent.parent.parent / "experiments/compare.py"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("compare_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compare(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run the command in an empty folder; return the Markdown page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("evaluate: {permutations: 100}\n")

    def _compare(*runs: str, **options: Any) -> str:
        script.main([str(run) for run in runs], **options)
        return (tmp_path / "outputs/comparison/compare.md").read_text()

    return _compare


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An MLflow store with one experiment, in which nothing has run."""
    folder = tmp_path_factory.mktemp("store")
    mlflow.set_tracking_uri(f"sqlite:///{folder}/mlflow.db")
    mlflow.create_experiment("toy", artifact_location=(folder / "artifacts").as_uri())
    return f"sqlite:///{folder}/mlflow.db"


@pytest.fixture
def evaluation(tmp_path: Path) -> Callable[..., Path]:
    """Write the folder of an evaluation: the scores of some runs on questions named q0, q1, ..."""

    def _evaluation(name: str, protocol: str = "published", prefix: str = "q", **runs: list[float]) -> Path:
        folder = tmp_path / name / "outputs"
        (folder / "evaluation").mkdir(parents=True)
        (folder / "bundle").mkdir()
        manifest = {"data": {"name": "toy"}, "settings": {"prepare": {"protocol": protocol}}}
        (folder / "bundle/manifest.json").write_text(json.dumps(manifest))
        frames = [
            pl.DataFrame(
                {
                    "run": run,
                    "query_id": [f"{prefix}{place}" for place in range(len(values))],
                    **dict.fromkeys(MEASURES, values),
                    "split": "validation",
                }
            )
            for run, values in runs.items()
        ]
        pl.concat(frames).write_parquet(folder / "evaluation/per_query.parquet")
        asked = frames[0]["query_id"]
        pl.DataFrame(
            {
                "query_id": asked,
                "split": "validation",
                "collection": "toy",
                "level": pl.Series([None] * len(asked), dtype=pl.String),
                "text": [f"What of [the] {each}?" for each in asked],
                "relevant": list(range(1, len(asked) + 1)),
                "words": list(range(len(asked))),
                "documents": 1,
                "evidence": "seen",
            }
        ).write_parquet(folder / "evaluation/queries.parquet")
        return folder / "evaluation"

    return _evaluation


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table after a heading."""
    lines = page[page.index(heading) :].splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|---"))
    table = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return table


def test_compare_gives_means_and_pairs_of_every_measure(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[0.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    first = rows(page, "# Comparison")[0]
    assert first[:5] == [str(folder), "ranker", "toy", "published", "3"]
    assert first[5].startswith("0.5000 (")
    pairs = rows(page, "### Paired comparisons")
    assert [row[2] for row in pairs] == list(MEASURES)
    assert pairs[0][:4] == [str(folder), f"{folder}:rrf", "Recall@10", "0.0833"]
    assert pairs[0][-3:] == ["1", "1", "1"]


def test_compare_lists_the_worst_questions_with_their_text(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[1.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    worst = rows(page, "### The 20 worst questions")
    assert [row[0] for row in worst] == [f"What of \\[the] q{place}?" for place in (2, 1, 0)]
    lost = rows(page, "### Where ")
    assert [row[0] for row in lost] == ["What of \\[the] q0?", "What of \\[the] q2?"]
    assert [row[-1] for row in lost] == ["-0.5000", "-0.2500"]


def test_compare_slices_where_the_facts_divide_the_questions(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5, 0.0], rrf=[0.5, 0.5, 0.25])
    page = compare(folder, f"{folder}:rrf")
    assert rows(page, "### By relevant")[0][:4] == ["1", str(folder), "1", "1.0000"]
    assert re.findall(r"### By (\w+)", page) == ["relevant", "words"]


def test_compare_makes_no_pair_across_protocols(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    published = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    disjoint = evaluation("two", "evidence_disjoint", ranker=[0.25, 0.5], rrf=[0.5, 0.5])
    page = compare(published, disjoint)
    assert [row[3] for row in rows(page, "# Comparison")] == ["published"] * 2 + ["evidence_disjoint"] * 2
    assert "no paired test is made across them" in page
    for folder, heading in ((published, "protocol published"), (disjoint, "protocol evidence_disjoint")):
        pairs = rows(page, heading)
        assert {(row[0], row[1]) for row in pairs} == {(str(folder), f"{folder}:rrf")}


def test_compare_keeps_other_questions_apart(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    first = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    second = evaluation("two", prefix="other", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    assert compare(first, second).count("### Paired comparisons") == 2


def test_compare_lists_losses_against_the_baseline_named(
    compare: Callable[..., str], evaluation: Callable[..., Path]
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], dense=[0.5, 0.5], rrf=[0.5, 0.75])
    page = compare(folder, f"{folder}:dense", baseline=f"{folder}:rrf")
    assert f"### Where {folder} loses most against {folder}:rrf" in page


def test_compare_page_needs_nothing_outside(
    compare: Callable[..., str], evaluation: Callable[..., Path], tmp_path: Path
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    page = compare(folder, f"{folder}:rrf")
    html = (tmp_path / "outputs/comparison/compare.html").read_text()
    assert html.count('src="data:image/png;base64,') == page.count("![") == 1
    assert re.findall(r"(?:src|href)=\"(?!data:)", html) == []


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("nowhere", "nowhere: expected a run of "),
        ("{folder}:best", "expected a run among ['ranker', 'rrf'], found 'best'."),
    ],
)
def test_compare_says_what_it_cannot_find(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    store: str,
    asked: str,
    message: str,
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.5])
    with pytest.raises(SystemExit):
        compare(asked.format(folder=folder), store=store)
    assert message in capsys.readouterr().err


def test_compare_refuses_a_split_that_was_not_measured(
    compare: Callable[..., str], evaluation: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = evaluation("one", ranker=[1.0], rrf=[0.5])
    with pytest.raises(SystemExit):
        compare(folder, split="test")
    assert "expected a split among ['validation'], found 'test'." in capsys.readouterr().err


def test_compare_finds_tracked_runs_by_name_id_and_start_of_id(
    compare: Callable[..., str], evaluation: Callable[..., Path], store: str
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.25])
    run_id = track(store, "full", folder)
    page = compare("full", run_id[:8], f"{run_id}:rrf", store=store)
    assert [row[:5] for row in rows(page, "# Comparison")] == [
        ["full", "ranker", "toy", "evidence_disjoint", "2"],
        [run_id[:8], "ranker", "toy", "evidence_disjoint", "2"],
        [f"{run_id}:rrf", "rrf", "toy", "evidence_disjoint", "2"],
    ]


def test_compare_asks_which_of_two_runs_of_one_name(
    compare: Callable[..., str],
    evaluation: Callable[..., Path],
    capsys: pytest.CaptureFixture[str],
    store: str,
) -> None:
    folder = evaluation("one", ranker=[1.0, 0.5], rrf=[0.5, 0.25])
    ids = [track(store, "twice", folder) for _ in range(2)]
    with pytest.raises(SystemExit):
        compare("twice", store=store)
    said = " ".join(capsys.readouterr().err.split())
    assert "twice: expected one run, found 2: " in said
    assert all(run_id in said for run_id in ids)


def test_compare_refuses_a_run_without_measures(
    compare: Callable[..., str], capsys: pytest.CaptureFixture[str], store: str
) -> None:
    track(store, "trial", None)
    with pytest.raises(SystemExit):
        compare("trial", store=store)
    assert "trial: expected per_query.parquet among its artifacts, found []." in capsys.readouterr().err


def test_compare_reads_what_the_pipeline_tracked(
    compare: Callable[..., str], pipeline: Path, ranker: Any
) -> None:
    run_id = json.loads((pipeline / "outputs/track.json").read_text())["run_id"]
    page = compare(
        run_id[:10], f"{run_id[:10]}:ranker_without_judgement", store=f"sqlite:///{pipeline}/mlflow.db"
    )
    table = rows(page, "# Comparison")
    metrics = json.loads((pipeline / "outputs/evaluation/metrics.json").read_text())["validation"]["runs"]
    for row in table:
        assert row[7].startswith(f"{metrics[row[1]]['nDCG@10']:.4f} (")
    # No validation question of this small sample asks for a passage that a training question does, so all are
    # in one slice by evidence: a slicing that divides nothing is left out, as `by_slice` says.
    facts = pl.read_parquet(pipeline / "outputs/evaluation/queries.parquet").filter(split="validation")
    assert facts["evidence"].unique().to_list() == ["unseen"]
    assert re.findall(r"### By (\w+)", page) == ["level", "relevant", "words", "documents"]
    assert "recall_by_depth_1.png" in page


def track(store: str, name: str, folder: Path | None) -> str:
    """Log an evaluation as the stage track does; return the id of the run."""
    mlflow.set_tracking_uri(store)
    toy = mlflow.get_experiment_by_name("toy")
    with mlflow.start_run(experiment_id=toy.experiment_id, run_name=name) as run:
        mlflow.log_params({"data.name": "toy", "prepare.protocol": "evidence_disjoint"})
        for path in folder.iterdir() if folder else ():
            mlflow.log_artifact(str(path))
    return str(run.info.run_id)
