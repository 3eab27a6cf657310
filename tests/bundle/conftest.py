from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle.manifest import digest
from rulerank.files import sha256


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    return shutil.copytree(bundle, tmp_path / "bundle")


@pytest.fixture
def seal() -> Callable[..., None]:
    """Write the manifest of a changed bundle, as another version of the program would write it."""

    def _seal(folder: Path, **changes: Any) -> None:
        manifest = json.loads((folder / "manifest.json").read_text()) | changes
        del manifest["digest"]
        left = [name for name in manifest["files"] if (folder / name).exists()]
        manifest["files"] = {name: sha256(folder / name) for name in left}
        manifest["sizes"] = {name: (folder / name).stat().st_size for name in left}
        (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest(manifest)}))

    return _seal
