"""Fixtures that several test folders share: public data and the command line. Larger ones are plugins."""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import NamedTuple

import pytest
from hypothesis import settings

from rulerank.cli import main

pytest_plugins = ["tests.plugins.order", "tests.plugins.chat", "tests.plugins.shared_run"]

# The time of one example says more about the machine than about the code. Every run takes the same examples:
# a failure is due to a change. `make test-search` draws others.
settings.register_profile("rulerank", deadline=None, derandomize=True)
settings.register_profile("fast", deadline=None, derandomize=True, max_examples=8)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile("rulerank")


@pytest.fixture(scope="session")
def obliqa() -> Path:
    """The folder of the public data set; tests that use it have the marker `real`."""
    root = Path(os.environ.get("RULERANK_DATA", ""))
    if not (root / "StructuredRegulatoryDocuments").is_dir():
        pytest.skip("set RULERANK_DATA to a folder of the ObliQA files to run the tests marked `real`")
    return root


class Said(NamedTuple):
    """The output of a command, and its exit code."""

    code: int
    out: str
    err: str


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run the command line in this process."""

    def _call(*arguments: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["rulerank", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        return Said(int(done.value.code or 0), *capsys.readouterr())

    return _call


@pytest.fixture
def script(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., CompletedProcess[str]]:
    """Run a script in a folder as `python` would, but in this process, which has loaded what it imports."""

    def _script(folder: Path, *arguments: str) -> CompletedProcess[str]:
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "argv", list(arguments))
        code = 0
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        except SystemExit as done:
            code = int(done.code or 0)
        return CompletedProcess(arguments, code, *capfd.readouterr())

    return _script
