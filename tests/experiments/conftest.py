"""Scripts of experiments/ run in this process, which has loaded already what they import."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest


@pytest.fixture
def script(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[..., CompletedProcess[str]]:
    """Run a script in a folder as `python` would, less the start of another process."""

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
