from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulerank.evaluate.significance import bootstrap_interval, compare, corrected, holm, paired_randomisation

scores = st.lists(st.floats(0, 1, width=32), min_size=1, max_size=12)


def exact_p_value(differences: list[float]) -> float:
    seen = abs(sum(differences)) - 1e-12
    patterns = list(product((-1, 1), repeat=len(differences)))
    return sum(abs(np.dot(signs, differences)) >= seen for signs in patterns) / len(patterns)


def test_paired_randomisation_agrees_with_all_sign_patterns() -> None:
    first, second = [0.9, 0.4, 0.7, 0.6, 0.8, 0.5], [0.1, 0.2, 0.6, 0.7, 0.3, 0.4]
    exact = exact_p_value([a - b for a, b in zip(first, second, strict=True)])
    assert exact == 8 / 64
    assert paired_randomisation(first, second, 40_000, seed=1) == pytest.approx(exact, abs=0.005)


def test_paired_randomisation_of_equal_runs_is_one() -> None:
    assert paired_randomisation([0.1, 0.5, 0.0], [0.1, 0.5, 0.0], 500, seed=1) == 1.0


def test_paired_randomisation_never_reaches_zero() -> None:
    assert paired_randomisation(np.ones(60), np.zeros(60), 999, seed=1) == 1 / 1000


def test_paired_randomisation_rejects_runs_of_unequal_length() -> None:
    with pytest.raises(ValueError, match="equal length"):
        paired_randomisation([0.1, 0.2], [0.1], 100, seed=1)


def test_a_missing_score_is_refused_instead_of_found_significant() -> None:
    with pytest.raises(ValueError, match="found NaN"):
        paired_randomisation([0.5, np.nan, 0.25], [0.5, 0.25, 0.25], 100, seed=1)
    with pytest.raises(ValueError, match="found NaN"):
        bootstrap_interval([0.5, np.nan], seed=1)
    per_query = pl.DataFrame(
        {"run": ["a", "a", "b", "b"], "query_id": ["p", "q"] * 2, "nDCG@10": [1.0, None, 0.5, 0.5]}
    )
    with pytest.raises(ValueError, match="found NaN"):
        compare(per_query, "a", ["b"], "nDCG@10", 100)


@settings(deadline=None)
@given(scores, st.integers(0, 5))
def test_paired_randomisation_is_symmetric_and_ignores_equal_pairs(first: list[float], equal: int) -> None:
    second = first[::-1]
    found = paired_randomisation(first, second, 200, seed=3)
    assert 0 < found <= 1
    assert paired_randomisation(second, first, 200, seed=3) == found
    assert paired_randomisation(first + [0.5] * equal, second + [0.5] * equal, 200, seed=3) == found


def test_bootstrap_interval_of_one_repeated_value_is_that_value() -> None:
    assert bootstrap_interval([0.25] * 7, seed=1, rounds=100) == (0.25, 0.25)


def test_bootstrap_interval_matches_the_normal_interval_of_many_values() -> None:
    values = np.random.default_rng(0).normal(0.1, 1.0, 400)
    half = 1.96 * values.std() / 20
    low, high = bootstrap_interval(values, seed=1, rounds=4000)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.01)


def test_bootstrap_interval_without_queries_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one query"):
        bootstrap_interval([], seed=1)


@settings(deadline=None)
@given(scores)
def test_bootstrap_interval_lies_within_the_values(values: list[float]) -> None:
    low, high = bootstrap_interval(values, seed=1, rounds=50)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9


def test_compare_pairs_queries_whatever_their_order() -> None:
    per_query = pl.DataFrame(
        {
            "run": ["ranker"] * 3 + ["bm25"] * 3,
            "query_id": ["a", "b", "c", "c", "a", "b"],
            "nDCG@10": [0.9, 0.5, 0.2, 0.4, 0.1, 0.5],
        }
    )
    found = compare(per_query, "ranker", ["bm25"], "nDCG@10", permutations=20_000, seed=1)
    row = found.row(0, named=True)
    assert (row["run"], row["baseline"], row["measure"]) == ("ranker", "bm25", "nDCG@10")
    assert (row["wins"], row["ties"], row["losses"]) == (1, 1, 1)
    assert row["difference"] == pytest.approx(0.2)
    assert row["p_value"] == pytest.approx(1.0)
    assert row["low"] == pytest.approx(-0.2)
    assert row["high"] == pytest.approx(0.8)


def test_compare_of_a_run_with_itself_shows_no_difference() -> None:
    per_query = pl.DataFrame({"run": ["bm25"] * 2, "query_id": ["a", "b"], "MAP@10": [0.3, 0.6]})
    row = compare(per_query, "bm25", ["bm25"], "MAP@10", permutations=200, seed=1).row(0, named=True)
    assert (row["difference"], row["p_value"], row["ties"]) == (0.0, 1.0, 2)


def test_compare_names_the_runs_it_knows() -> None:
    per_query = pl.DataFrame({"run": ["bm25"], "query_id": ["a"], "MAP@10": [0.3]})
    with pytest.raises(ValueError, match=r"\['bm25'\], found 'dense'"):
        compare(per_query, "bm25", ["dense"], "MAP@10")


def test_compare_refuses_a_query_with_several_scores() -> None:
    per_query = pl.DataFrame({"run": ["a", "a", "b"], "query_id": ["q", "q", "q"], "MAP@10": [0.3, 0.5, 0.1]})
    with pytest.raises(
        ValueError, match=r"expected one score per query of the run 'a', found several of 'q'"
    ):
        compare(per_query, "b", ["a"], "MAP@10")


def test_holm_adjusts_step_down_in_the_given_order() -> None:
    assert holm([0.04, 0.01, 0.03]).tolist() == pytest.approx([0.06, 0.03, 0.06])


def test_holm_counts_only_what_was_compared() -> None:
    assert holm([np.nan, 0.01, 0.04]).tolist() == pytest.approx([np.nan, 0.02, 0.04], nan_ok=True)
    rows = {"group": list("xxy"), "p_value": [None, 0.01, 0.04]}
    assert corrected(pl.DataFrame(rows))["p_holm"].to_list() == [None, 0.02, 0.04]
    assert corrected(pl.DataFrame(rows), by=["group"])["p_holm"].to_list() == [None, 0.01, 0.04]


def test_holm_of_nothing_is_nothing() -> None:
    assert holm([]).tolist() == []


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_value_and_keeps_their_order(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(before <= after <= 1 for before, after in zip(p_values, adjusted, strict=True))
    assert (np.diff(adjusted[np.argsort(p_values, kind="stable")]) >= 0).all()
