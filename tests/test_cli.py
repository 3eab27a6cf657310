from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

import pytest
import typer

from rulerank.cli import app, main


def test_rulerank_is_the_name_of_the_command() -> None:
    (point,) = entry_points(group="console_scripts", name="rulerank")
    assert point.load() is main


def test_every_command_and_argument_is_described() -> None:
    root = typer.main.get_command(app)
    commands = dict(_commands(root, "rulerank"))
    assert set(commands) >= {
        "rulerank rank",
        "rulerank answer",
        "rulerank bundle verify",
        "rulerank data fetch",
    }
    for name, command in commands.items():
        assert command.help, name
        for parameter in command.params:
            assert getattr(parameter, "help", None), f"{name}: {parameter.name}"


def _commands(command: Any, name: str) -> list[tuple[str, Any]]:
    inner = getattr(command, "commands", {}).items()
    return [(name, command), *(each for key, sub in inner for each in _commands(sub, f"{name} {key}"))]


@pytest.mark.parametrize(
    "command", [[], ["rank"], ["answer"], ["evaluate"], ["data"], ["data", "fetch"], ["bundle", "verify"]]
)
def test_help_is_printed(call: Callable[..., Any], command: list[str]) -> None:
    said = call(*command, "--help")
    assert said.code == 0
    assert "Usage: rulerank" in said.out
    assert said.err == ""


@pytest.mark.parametrize("command", ["rank", "answer", "evaluate"])
def test_missing_bundle_is_one_error(call: Callable[..., Any], tmp_path: Path, command: str) -> None:
    said = call(command, tmp_path / "none", "Who?")
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith(f"error: {tmp_path / 'none'}: expected an exported ranker")
    assert said.err.count("\n") == 1


def test_version_is_printed(call: Callable[..., Any]) -> None:
    assert call("--version") == (0, f"{version('rulerank')}\n", "")


def test_unknown_data_set_is_one_error(call: Callable[..., Any]) -> None:
    said = call("data", "fetch", "moon")
    assert said.code == 1
    assert said.err == (
        "error: moon: expected the data set 'obliqa' or 'searchfiresafety'. "
        "Run `rulerank data fetch obliqa`.\n"
    )


def test_error_in_a_process_of_its_own_has_no_traceback(pipeline: Path, run: Callable[..., Any]) -> None:
    done = run(pipeline, "-m", "rulerank", "rank", "none", "Who?")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: none: expected an exported ranker")
    assert "Traceback" not in done.stderr
