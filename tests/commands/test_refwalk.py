from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from rulerank.cli import main

QUESTION = "Must the tug operator keep a log for two years if the tug is hired out?"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run `rulerank refwalk` in this process, with no language model configured."""
    for name in ("RULERANK_LLM_URL", "RULERANK_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)

    def _call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["rulerank", "refwalk", *map(str, arguments)])
        with pytest.raises(SystemExit) as done:
            main()
        return (int(done.value.code or 0), *capsys.readouterr())

    return _call


def test_anchor_and_passages_are_printed(call: Call, bundle: Path) -> None:
    code, out, err = call(bundle, QUESTION, "--k", 3)
    assert (code, err) == (0, "")
    assert out.splitlines()[1:5] == [
        "actor: tug operator",
        "temporal: for two years",
        "magnitude: -",
        "situational: if the tug is hired out",
    ]
    ranks = re.findall(r"^ +(\d+)\. .+ score 0\.\d{5} \(narrow \d+, mid \d+, wide \d+", out, re.MULTILINE)
    assert ranks == ["1", "2", "3"]


def test_json_says_the_same(call: Call, bundle: Path) -> None:
    said = json.loads(call(bundle, QUESTION, "--k", 3, "--fusion", "rrf", "--json")[1])
    text = call(bundle, QUESTION, "--k", 3, "--fusion", "rrf")[1]
    assert said["anchor"]["actor"] == "tug operator"
    assert [each["passage_id"] for each in said["passages"]] == re.findall(r"\[(\S+)\]$", text, re.MULTILINE)


def test_what_voids_a_passage_is_named_beside_it(call: Call, bundle: Path) -> None:
    voiding = pl.read_ipc(bundle / "edges.arrow").filter(type="SUPERSEDES")
    lower = voiding["target_id"][0]
    asked = pl.read_ipc(bundle / "passages.arrow").filter(passage_id=lower)["text"].item()
    said = json.loads(call(bundle, asked, "--k", 30, "--json")[1])["passages"]
    voided = {each["passage_id"]: ", ".join(each["voided_by"]) for each in said if each["voided_by"]}
    assert lower in voided
    shown = re.findall(r"\[(\S+)\]\n +voided by (.+)$", call(bundle, asked, "--k", 30)[1], re.MULTILINE)
    assert dict(shown) == voided


def test_before_any_rule_took_effect_nothing_is_ranked(call: Call, bundle: Path) -> None:
    code, out, err = call(bundle, QUESTION, "--as-of", "1900-01-01")
    assert (code, err) == (0, "warning: none of the passages found had taken effect by that day\n")
    assert "[" not in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["  "], "question: expected a question, found blank text"),
        ([QUESTION, "--fusion", "borda"], "refwalk: fusion: input should be 'rrf'"),
        ([QUESTION, "--anchor", "llm"], "RULERANK_LLM_URL: expected a language model, found none"),
    ],
)
def test_what_cannot_be_done_is_one_error(
    call: Call, bundle: Path, arguments: list[str], message: str
) -> None:
    code, out, err = call(bundle, *arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1
