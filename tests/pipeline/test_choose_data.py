"""How the corpus is chosen: only by `data.root` in params.yaml."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("root", ["my folder", "a #b", "data/sample"])
def test_chosen_data_is_the_only_thing_changed_in_params(
    tmp_path: Path, run: Callable[..., Any], pipeline: Path, root: str
) -> None:
    project = Path(__file__).parent.parent.parent
    shutil.copytree(pipeline / "src", tmp_path / "src")
    (tmp_path / "params.yaml").write_bytes((project / "params.yaml").read_bytes())
    (tmp_path / root).mkdir(parents=True, exist_ok=True)
    for chosen in (root, "data/sample"):
        done = run(tmp_path, str(project / "features/choose_data.py"), chosen)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "params.yaml").read_text() == (project / "params.yaml").read_text()
