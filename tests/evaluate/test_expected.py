from __future__ import annotations

from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.evaluate.expected import Expectation, Expected, Found, check, recorded
from rulerank.evaluate.experiment import read_described

FOUND = Found(
    "guild",
    {"validation": 4},
    {"validation": {"ranker": {"nDCG@10": 0.75, "Recall@10": 0.5}, "rrf": {"nDCG@10": 0.25}}},
)


def _expected(**figures: Expectation) -> Expected:
    return Expected(
        data="guild",
        split="validation",
        queries=4,
        runs={"ranker": {name.replace("_at_", "@"): each for name, each in figures.items()}},
    )


@pytest.mark.parametrize(
    ("expectation", "found", "met"),
    [
        (Expectation(value=0.74, within=0.01), 0.75, True),
        (Expectation(value=0.76, within=0.01), 0.75, True),
        (Expectation(value=0.73, within=0.01), 0.75, False),
        (Expectation(value=0.77, within=0.01), 0.75, False),
        (Expectation(at_least=0.75), 0.75, True),
        (Expectation(at_least=0.751), 0.75, False),
        (Expectation(value=0.75, at_least=0.8), 0.75, False),
        (Expectation(value=0.75), None, False),
        (Expectation(value=0.75), float("nan"), False),
    ],
)
def test_expectation_is_met_within_its_tolerance_and_above_its_bar(
    expectation: Expectation, found: float | None, met: bool
) -> None:
    assert expectation.met(found) is met


def test_check_gives_one_row_an_expectation() -> None:
    expected = _expected(
        nDCG_at_10=Expectation(value=0.7512, at_least=0.7), Recall_at_10=Expectation(value=0.6)
    )
    assert check(expected, FOUND, Path("guild.json")).rows() == [
        ("ranker", "nDCG@10", 0.75, "0.7512 ± 0.005, at least 0.7", True),
        ("ranker", "Recall@10", 0.5, "0.6000 ± 0.005", False),
    ]


def test_missing_run_or_measure_fails_the_check() -> None:
    expected = Expected(
        data="guild",
        split="validation",
        queries=4,
        runs={"dense": {"nDCG@10": Expectation(at_least=0)}, "rrf": {"MAP@10": Expectation(at_least=0)}},
    )
    checked = check(expected, FOUND, Path("guild.json"))
    assert checked["found"].to_list() == [None, None]
    assert checked["ok"].to_list() == [False, False]


@pytest.mark.parametrize(
    "other",
    [
        {"data": "fair"},
        {"queries": 5},
        {"split": "test"},
    ],
)
def test_other_questions_are_an_error(other: dict[str, object]) -> None:
    expected = _expected(nDCG_at_10=Expectation(value=0.75)).model_copy(update=other)
    with pytest.raises(InputError, match=r"guild\.json: expected results of .*, found guild, "):
        check(expected, FOUND, Path("guild.json"))


def test_recorded_run_passes_its_own_check() -> None:
    expected = recorded(FOUND, "validation")
    assert expected.runs["rrf"]["nDCG@10"].value == 0.25
    checked = check(expected, FOUND, Path("guild.json"))
    assert checked.height == 3
    assert checked["ok"].all()


def test_recording_keeps_bars_and_tolerances() -> None:
    earlier = _expected(nDCG_at_10=Expectation(value=0.1, within=0.02, at_least=0.7))
    now = recorded(FOUND, "validation", earlier).runs["ranker"]["nDCG@10"]
    assert now == Expectation(value=0.75, within=0.02, at_least=0.7)


def test_recording_keeps_a_bar_that_the_run_says_nothing_of() -> None:
    earlier = _expected(MAP_at_10=Expectation(at_least=0.6))
    assert recorded(FOUND, "validation", earlier).runs["ranker"]["MAP@10"] == Expectation(at_least=0.6)


def test_unmeasured_split_cannot_be_recorded() -> None:
    with pytest.raises(InputError, match="expected the split test, found"):
        recorded(FOUND, "test")


def test_misspelt_key_in_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "guild.json"
    path.write_text(
        '{"data": "guild", "split": "test", "queries": 1, "runs": {"r": {"nDCG@10": {"atleast": 1}}}}'
    )
    with pytest.raises(InputError, match=r"guild\.json: runs\.r\.nDCG@10\.atleast: extra inputs"):
        read_described(path, Expected)
