from __future__ import annotations

import os

import pytest


def test_tests_of_one_file_share_a_worker(request: pytest.FixtureRequest) -> None:
    """If pytest-xdist cannot group tests, every worker runs the whole pipeline for itself."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("one process runs every test")
    assert request.node.nodeid.endswith(f"@{request.path}")
