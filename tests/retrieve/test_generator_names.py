"""Which generators params.yaml may name, and how."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dvc.utils.serialize import parse_yaml
from pydantic import ValidationError

from rulerank.errors import SettingsError
from rulerank.retrieve.generator import generator_class
from rulerank.settings import Candidates
from tests.retrieve.material import PLUGGED_IN


@pytest.mark.parametrize(
    "run",
    [
        "bm52",
        "",
        ":Bm25",
        "rulerank.nowhere:Bm25",
        "rulerank.retrieve.bm25:Bm52",
        "rulerank.retrieve.bm25",
        "..bm25:Bm25",
    ],
)
def test_unknown_generator_names_those_there_are(run: str) -> None:
    with pytest.raises(SettingsError, match="expected one of bm25, bm25_context, dense, closure or") as said:
        generator_class(run)
    assert repr(run) in str(said.value)
    assert "Correct the name, or install its package." in str(said.value)


def test_class_without_the_methods_of_a_generator_is_refused() -> None:
    with pytest.raises(
        SettingsError, match="found no name, floor, build, search, score, load, __len__ in it"
    ):
        generator_class("rulerank.retrieve.latent:LatentSpace")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ([], "at least 1 item"),
        (
            ["bm52"],
            "expected one of bm25, bm25_context, dense, closure, or package.module:Class, found 'bm52'",
        ),
        (["nowhere:"], "expected one of bm25, bm25_context, dense, closure, or package.module:Class"),
        (["bm25", "dense", "bm25"], "expected each run once, found bm25 more than once"),
        (["closure"], "name it last, after one of them"),
        (["bm25", "closure", "dense"], "name it last, after one of them"),
    ],
)
def test_runs_that_no_search_can_follow_are_refused(runs: list[str], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Candidates.model_validate({"runs": runs})


def test_runs_may_name_a_generator_from_outside() -> None:
    runs = ("bm25", PLUGGED_IN, "closure")
    assert Candidates.model_validate({"runs": runs}).runs == runs
    assert generator_class(PLUGGED_IN).__name__ == "TfIdf"


def test_dvc_reads_the_runs_that_the_docs_show() -> None:
    docs = Path(__file__).parents[2] / "docs" / "architecture.md"
    (shown,) = re.findall(r"^    candidates:\n      runs: .*$", docs.read_text(), re.MULTILINE)
    read = parse_yaml(shown, docs)["candidates"]["runs"]
    assert read == ["bm25", "bm25_context", "dense", "mypackage.splade:Splade", "closure"]
    assert Candidates.model_validate({"runs": read}).runs == tuple(read)
