from __future__ import annotations

import os

import pytest

from experiments.bench.fresh import fresh


def test_new_process_has_its_own_threads_and_leaves_those_here_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    assert fresh(3, os.getenv, "OMP_NUM_THREADS") == "3"
    assert os.environ["OMP_NUM_THREADS"] == "5"


def test_error_in_a_new_process_arrives_here() -> None:
    with pytest.raises(ValueError, match="could not convert"):
        fresh(1, float, "none")
