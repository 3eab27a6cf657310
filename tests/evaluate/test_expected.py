from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.evaluate.expected import Expectation, Expected, check, recorded, tolerance
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.results import Results, read_results, standard_errors
from rulerank.files import write_json
from rulerank.settings import read_described

RESULTS = Results(
    "guild",
    {"validation": 4},
    {"validation": {"ranker": {"nDCG@10": 0.75, "Recall@10": 0.5}, "rrf": {"nDCG@10": 0.25}}},
    {"validation": {"ranker": {"nDCG@10": 0.2, "Recall@10": 0.25}, "rrf": {"nDCG@10": 0.1}}},
)


def _expected(**figures: Expectation) -> Expected:
    return Expected(
        data="guild",
        split="validation",
        queries=4,
        runs={"ranker": {name.replace("_at_", "@"): each for name, each in figures.items()}},
    )


@pytest.mark.parametrize(
    ("expectation", "value", "met"),
    [
        (Expectation(value=0.74), 0.75, True),
        (Expectation(value=0.76), 0.75, True),
        (Expectation(value=0.73), 0.75, False),
        (Expectation(value=0.77), 0.75, False),
        (Expectation(at_least=0.75), 0.75, True),
        (Expectation(at_least=0.751), 0.75, False),
        (Expectation(value=0.75, at_least=0.8), 0.75, False),
        (Expectation(value=0.75), None, False),
        (Expectation(value=0.75), float("nan"), False),
    ],
)
def test_expectation_is_met_within_its_tolerance_and_above_its_bar(
    expectation: Expectation, value: float | None, met: bool
) -> None:
    assert expectation.met(value, 0.01) is met


@pytest.mark.parametrize(
    ("run", "expectation", "queries", "within"),
    [
        ("ranker", Expectation(value=0.7, standard_error=0.02), 446, 0.03),
        # One question can move the mean by this much.
        ("ranker", Expectation(value=0.7, standard_error=0.01), 50, 0.02),
        ("closure", Expectation(value=0.0, standard_error=0.0), 446, 1 / 446),
        # Without a recorded error: the error if 9 of 10 questions score 1 and the others 0.
        ("ranker", Expectation(value=0.9), 400, 1.5 * 0.3 / 20),
        # Nothing is learned, so only ties can differ.
        ("bm25", Expectation(value=0.7, standard_error=0.02), 446, 1 / 446),
        ("bm25_context", Expectation(value=0.7), 446, 1 / 446),
    ],
)
def test_tolerance_follows_from_the_questions(
    run: str, expectation: Expectation, queries: int, within: float
) -> None:
    assert tolerance(run, expectation, queries) == pytest.approx(within)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=50))
def test_unknown_standard_error_is_never_taken_for_less_than_it_is(values: list[float]) -> None:
    mean, queries = math.fsum(values) / len(values), len(values)
    # The error of the population, to which the bound applies.
    error = math.sqrt(math.fsum((value - mean) ** 2 for value in values)) / queries
    known = Expectation(value=mean, standard_error=error)
    assert tolerance("ranker", Expectation(value=mean), queries) >= tolerance("ranker", known, queries) - 1e-9


def test_standard_error_is_that_of_the_mean_over_the_questions() -> None:
    scores = pl.DataFrame({"split": ["test"] * 4, "run": ["rrf"] * 4}).with_columns(
        pl.Series([0.0, 1.0, 1.0, 0.0]).alias(name) for name in MEASURES
    )
    # s = sqrt(4 * .25 / 3), n = 4
    errors = standard_errors(scores)["test"]["rrf"]
    assert errors == {name: pytest.approx(math.sqrt(1 / 3) / 2) for name in MEASURES}


def test_one_question_has_no_standard_error() -> None:
    scores = pl.DataFrame({"split": ["test"], "run": ["rrf"]}).with_columns(
        pl.lit(0.5).alias(name) for name in MEASURES
    )
    assert standard_errors(scores) == {"test": {"rrf": {}}}


def test_results_are_read_from_the_outputs_of_a_run(tmp_path: Path) -> None:
    means = dict.fromkeys(MEASURES, 0.5)
    write_json(tmp_path / "evaluation/metrics.json", {"test": {"queries": 2, "runs": {"rrf": means}}})
    write_json(tmp_path / "tables/provenance.json", {"name": "guild"})
    scores = pl.DataFrame({"split": ["test"] * 2, "run": ["rrf"] * 2}).with_columns(
        pl.Series([0.25, 0.75]).alias(name) for name in MEASURES
    )
    scores.write_parquet(tmp_path / "evaluation/per_query.parquet")
    results = read_results(tmp_path)
    assert (results.data, results.queries) == ("guild", {"test": 2})
    assert results.runs == {"test": {"rrf": means}}
    assert results.errors["test"]["rrf"]["MAP@10"] == pytest.approx(0.25)


def test_check_gives_one_row_per_expectation() -> None:
    expected = _expected(
        nDCG_at_10=Expectation(value=0.7512, standard_error=0.3, at_least=0.7),
        Recall_at_10=Expectation(value=0.8, standard_error=0.1),
    )
    assert check(expected, RESULTS, Path("guild.json")).rows() == [
        ("ranker", "nDCG@10", 0.75, "0.7512 ± 0.4500, at least 0.7", True),
        ("ranker", "Recall@10", 0.5, "0.8000 ± 0.2500", False),
    ]


def test_missing_run_or_measure_fails_the_check() -> None:
    expected = Expected(
        data="guild",
        split="validation",
        queries=4,
        runs={"dense": {"nDCG@10": Expectation(at_least=0)}, "rrf": {"MAP@10": Expectation(at_least=0)}},
    )
    checked = check(expected, RESULTS, Path("guild.json"))
    assert checked["value"].to_list() == [None, None]
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
        check(expected, RESULTS, Path("guild.json"))


def test_recorded_run_passes_its_own_check() -> None:
    expected = recorded(RESULTS, "validation")
    assert expected.runs["rrf"]["nDCG@10"] == Expectation(value=0.25, standard_error=0.1)
    checked = check(expected, RESULTS, Path("guild.json"))
    assert checked.height == 3
    assert checked["ok"].all()


def test_recording_keeps_bars_and_takes_the_new_error() -> None:
    earlier = _expected(nDCG_at_10=Expectation(value=0.1, standard_error=0.5, at_least=0.7))
    now = recorded(RESULTS, "validation", earlier).runs["ranker"]["nDCG@10"]
    assert now == Expectation(value=0.75, standard_error=0.2, at_least=0.7)


def test_recording_keeps_a_bar_that_the_run_says_nothing_of() -> None:
    earlier = _expected(MAP_at_10=Expectation(at_least=0.6))
    now = recorded(RESULTS, "validation", earlier).runs["ranker"]["MAP@10"]
    assert now == Expectation(at_least=0.6)


def test_unmeasured_split_cannot_be_recorded() -> None:
    with pytest.raises(InputError, match="expected the split test, found"):
        recorded(RESULTS, "test")


def test_misspelt_key_in_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "guild.json"
    path.write_text(
        '{"data": "guild", "split": "test", "queries": 1, "runs": {"r": {"nDCG@10": {"atleast": 1}}}}'
    )
    with pytest.raises(InputError, match=r"guild\.json: runs\.r\.nDCG@10\.atleast: extra inputs"):
        read_described(path, Expected)


@pytest.mark.parametrize(
    "path", sorted(Path("experiments/expected").glob("*.json")), ids=lambda path: path.stem
)
def test_committed_expectations_can_be_read(path: Path) -> None:
    assert read_described(path, Expected).runs
