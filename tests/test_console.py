from __future__ import annotations

import errno
import os

import polars as pl
import pytest
from safetensors.numpy import load_file

from rulerank.console import progress, reported


def _said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize("read", [load_file, pl.read_parquet])
def test_missing_output_of_a_stage_is_one_message_that_names_it(read, tmp_path, capsys) -> None:
    with pytest.raises(SystemExit, match="1"), reported():
        read(tmp_path / "vectors.bin")
    said = _said(capsys)
    assert said.startswith("error: No such file")
    assert "vectors.bin" in said
    assert said.endswith("what a stage writes comes with `dvc repro`.\n")


def test_no_room_for_what_is_printed_is_one_message(capsys) -> None:
    with pytest.raises(SystemExit, match="1"), reported():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert _said(capsys) == "error: No space left on device. Check path, permissions and space.\n"


def test_error_about_no_file_is_a_fault_of_the_program() -> None:
    with pytest.raises(OSError, match="Connection reset"), reported():
        raise OSError(errno.ECONNRESET, "Connection reset")


def test_progress_yields_every_item_and_is_silent_at_no_terminal(capsys) -> None:
    assert list(progress(["a", "b"], "reading")) == ["a", "b"]
    assert capsys.readouterr() == ("", "")
