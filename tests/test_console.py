from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys

import polars as pl
import pytest
from safetensors.numpy import load_file

from rulerank.console import printable, progress, reported, say, say_json
from rulerank.errors import InputError


def _said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err


@pytest.mark.parametrize("read", [load_file, pl.read_parquet])
def test_missing_output_of_a_stage_is_one_message_that_names_it(read, tmp_path, capsys) -> None:
    with pytest.raises(SystemExit, match="1"), reported():
        read(tmp_path / "vectors.bin")
    said = _said(capsys)
    assert said.startswith("error: No such file")
    assert "vectors.bin" in said
    assert said.endswith("outputs of a stage come from `dvc repro`.\n")


def test_no_room_for_what_is_printed_is_one_message(capsys) -> None:
    with pytest.raises(SystemExit, match="1"), reported():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert _said(capsys) == "error: No space left on device. Check path, permissions and space.\n"


def test_package_of_an_extra_that_is_missing_is_named(capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(SystemExit, match="1"), reported():
        import scipy  # noqa: F401
    assert _said(capsys) == "error: expected the package scipy, found none. Install rulerank[train].\n"


def test_module_of_its_own_that_is_missing_is_a_fault_of_the_program() -> None:
    with pytest.raises(ModuleNotFoundError), reported():
        import rulerank.absent  # noqa: F401


def test_error_about_no_file_is_a_fault_of_the_program() -> None:
    with pytest.raises(OSError, match="Connection reset"), reported():
        raise OSError(errno.ECONNRESET, "Connection reset")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_sign_that_the_terminal_cannot_show_is_escaped(encoding: str) -> None:
    program = r"from rulerank.console import reported, say\nwith reported(): say('six \u201chours\u201d')"
    command = [sys.executable, "-c", program.replace("\\n", "\n")]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, r"six \u201chours\u201d" + "\n", "")


WRITING = """
import os, signal, sys
from pathlib import Path
from rulerank.console import reported
from rulerank.files import replacing_folder

# Under nohup, tests begin with a signal ignored, and it would stay so.
signal.signal(int(sys.argv[2]), signal.SIG_DFL)
with reported(), replacing_folder(Path(sys.argv[1])) as folder:
    (folder / "half").touch()
    os.kill(os.getpid(), int(sys.argv[2]))
    print("still there")
"""


@pytest.mark.parametrize("asked", [signal.SIGTERM, signal.SIGHUP])
def test_process_that_is_asked_to_end_leaves_no_half_written_folder(tmp_path, asked) -> None:
    command = [sys.executable, "-c", WRITING, tmp_path / "bundle", str(int(asked))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-asked, "", "")
    assert not list(tmp_path.iterdir())


def test_request_to_end_that_is_ignored_stays_ignored() -> None:
    earlier = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with reported():
            os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, earlier)


def test_progress_yields_every_item_and_is_silent_at_no_terminal(capsys) -> None:
    assert list(progress(["a", "b"], "reading")) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tide\ttable\nend", "Tide\ttable\nend"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b31mred \x9dtitle\x9cafter", "red after"),
        ("\x1b]0;never ends", ""),
        ("one\r\ntwo\rthree\u2028four\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("a\x00b\x08c\x7fd", "abcd"),
        ("\u202eevil\u202c \u2066x\u2069 \u200fy", "evil x y"),
        ("half\ud800", "half"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_nothing_that_a_terminal_would_act_on_is_printed(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_result_is_printed_without_control_characters(capsys) -> None:
    say("1. \x1b]0;owned\x07Keep the \x9b31mregister.")
    say()
    assert capsys.readouterr().out == "1. Keep the register.\n\n"


def test_json_keeps_what_a_terminal_would_act_on_as_escapes(capsys) -> None:
    value = {"text": 'a\x1b[31m"b\x9b1m\u202e\ud800\nc\u2028', "\x9d": ["한글", None, 0.5]}
    say_json(value)
    said = capsys.readouterr().out
    assert json.loads(said) == value
    assert printable(said) == said
    assert "한글" in said


def test_an_error_that_quotes_a_file_is_printed_without_its_control_characters(capsys) -> None:
    with pytest.raises(SystemExit), reported():
        raise InputError("a.json", "expected x, found \x1b]0;owned\x07y")
    assert _said(capsys) == "error: a.json: expected x, found y\n"
