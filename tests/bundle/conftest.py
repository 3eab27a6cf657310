from __future__ import annotations

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return shutil.copytree(bundle, tmp_path / "bundle")
