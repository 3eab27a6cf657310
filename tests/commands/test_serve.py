from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulerank.errors import InputError
from rulerank.serve.lines import require_lines
from rulerank.serve.run import require_address
from rulerank.serve.settings import ServeSettings
from rulerank.threads import VARIABLES


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the variables that the command sets for its process."""
    for name in VARIABLES:
        monkeypatch.setenv(name, "1")


def test_folder_that_is_no_bundle_is_one_message(call: Callable[..., Any], tmp_path: Path) -> None:
    said = call("serve", tmp_path)
    assert said.code == 1
    assert said.err.startswith(f"error: {tmp_path}: expected an exported ranker")
    assert call("serve", tmp_path, "--workers", 2).err == said.err


def test_file_that_cannot_be_added_to_is_named_before_anything_is_loaded(
    call: Callable[..., Any], tmp_path: Path
) -> None:
    said = call("serve", tmp_path, "--feedback", tmp_path)
    assert (said.code, said.err.startswith("error: --feedback: expected a file to add lines to")) == (1, True)


def test_address_that_nobody_can_listen_at_is_one_message() -> None:
    require_address("127.0.0.1", 0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            InputError, match=rf"serve: .* 127\.0\.0\.1, found {port}: Address already in use"
        ):
            require_address("127.0.0.1", port)


@pytest.mark.parametrize("host", ["nowhere.invalid", "192.0.2.1", "http://127.0.0.1", f"{'a' * 100}.com"])
def test_address_of_no_machine_is_told_from_a_port_in_use(host: str) -> None:
    with pytest.raises(InputError, match=f"--host: expected an address of this machine, found '{host}'"):
        require_address(host, 0)


def test_records_are_kept_in_ordinary_files_for_the_user_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        InputError, match=r"--audit: expected a file to add lines to at .*, found something else"
    ):
        require_lines(tmp_path / "bundle", audit=tmp_path / "pipe")
    earlier = tmp_path / "audit.jsonl"
    earlier.touch(0o644)
    require_lines(tmp_path / "bundle", audit=earlier)
    assert earlier.stat().st_mode & 0o777 == 0o600
    earlier.write_text("{}\n")
    with pytest.raises(InputError, match=r"audit\.jsonl: expected lines that begin with"):
        require_lines(tmp_path / "bundle", audit=earlier)


@pytest.mark.parametrize(
    "option", [("--port", 70_000), ("--workers", 0), ("--threads", 0), ("--deadline", 0)]
)
def test_number_out_of_range_is_refused(call: Callable[..., Any], tmp_path: Path, option: tuple) -> None:
    assert call("serve", tmp_path, *option).code == 2


def test_packages_that_are_missing_are_named_with_the_command_that_installs_them(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "rulerank.serve.run", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    said = call("serve", tmp_path)
    assert said.code == 1
    assert "Install rulerank with its extra `serve`" in said.err


def test_options_reach_the_server(
    call: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import rulerank.serve.run

    started = []
    monkeypatch.setattr(rulerank.serve.run, "serve", lambda *arguments: started.append(arguments))
    options = ("--host", "::1", "--port", 9000, "--workers", 3, "--threads", 4, "--deadline", 25)
    said = call("serve", tmp_path, *options, "--audit", tmp_path / "audit", "--log-questions")
    assert said.code == 0
    expected = ServeSettings(
        bundle=tmp_path, threads=4, deadline=25, audit=tmp_path / "audit", log_questions=True
    )
    assert started == [(expected, "::1", 9000, 3)]
