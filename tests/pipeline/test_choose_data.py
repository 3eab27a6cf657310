"""How the corpus is chosen: only by `data.root` in params.yaml."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("root", ["my folder", "a #b", "data/sample"])
def test_chosen_data_is_the_only_thing_changed_in_params(
    tmp_path: Path, script: Callable[..., Any], root: str
) -> None:
    project = Path(__file__).parent.parent.parent
    (tmp_path / "params.yaml").write_bytes((project / "params.yaml").read_bytes())
    (tmp_path / root).mkdir(parents=True, exist_ok=True)
    for chosen in (root, "data/sample"):
        done = script(tmp_path, str(project / "features/choose_data.py"), chosen)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "params.yaml").read_text() == (project / "params.yaml").read_text()


def test_misspelt_section_is_named_before_any_stage_runs(tmp_path: Path, script: Callable[..., Any]) -> None:
    project = Path(__file__).parent.parent.parent
    written = (project / "params.yaml").read_text().replace("\ncandidates:\n", "\ncandidate:\n")
    (tmp_path / "params.yaml").write_text(written)
    done = script(tmp_path, str(project / "features/choose_data.py"), "data/sample")
    assert done.returncode == 1
    assert "candidate: unknown key; the nearest valid key is candidates\n" in done.stderr
    assert (tmp_path / "params.yaml").read_text() == written
