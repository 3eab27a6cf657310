"""The command in an empty folder, and evaluations for it to compare."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.evaluate.measures import MEASURES

SCRIPT = Path(__file__).parent.parent.parent.parent / "experiments/compare.py"


@pytest.fixture(scope="session")
def command() -> Any:
    """Return the module of the command."""
    spec = importlib.util.spec_from_file_location("compare_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def compare(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Run the command in an empty folder; return the Markdown page."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "params.yaml").write_text("evaluate: {permutations: 100}\n")

    def _compare(*runs: str, **options: Any) -> str:
        command.main([str(run) for run in runs], **options)
        return (tmp_path / "outputs/comparison/compare.md").read_text()

    return _compare


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


@pytest.fixture(scope="session")
def rows() -> Callable[[str, str], list[list[str]]]:
    """Return the cells of the first table after a heading of the page."""
    return _rows


def _rows(page: str, heading: str) -> list[list[str]]:
    lines = page[page.index(heading) :].splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("|---"))
    table = []
    for line in lines[start + 1 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return table
