"""docs/features.md states what the registry holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_committed_page_is_what_the_command_writes(tmp_path: Path) -> None:
    command = PROJECT / "experiments" / "describe_features.py"
    subprocess.run([sys.executable, command], cwd=tmp_path, check=True)

    written = (tmp_path / "docs" / "features.md").read_text("utf-8")

    assert written == (PROJECT / "docs" / "features.md").read_text("utf-8"), (
        "run `python experiments/describe_features.py` and commit docs/features.md"
    )
