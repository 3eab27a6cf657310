"""Fixtures that more than one room's tests use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def obliqa() -> Path:
    """The folder of the public data set; tests that use it carry the marker `real`."""
    root = Path(os.environ.get("RULERANK_DATA", ""))
    if not (root / "StructuredRegulatoryDocuments").is_dir():
        pytest.skip("set RULERANK_DATA to a folder of the ObliQA files to run the tests marked `real`")
    return root
