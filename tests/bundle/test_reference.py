from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rulerank.bundle.reference import REFERENCE, Distribution, describe, read_reference, shares
from rulerank.errors import BundleError

VALUES = arrays(
    np.float32, st.integers(0, 40), elements=st.one_of(st.floats(-9, 9, width=32), st.just(np.nan))
)


def test_deciles_and_shares_of_a_hundred_numbers() -> None:
    numbers = np.arange(1, 101, dtype=np.float32)
    with_gaps = np.concatenate([numbers, np.full(100, np.nan, np.float32)])
    found = Distribution.of(with_gaps)
    assert found.quantiles.tolist() == [1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]
    assert found.edges.tolist() == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert found.shares.tolist() == [0.05] * 10 + [0.5]


def test_value_that_most_rows_have_is_one_edge() -> None:
    found = Distribution.of(np.array([0] * 90 + [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], np.float32))
    assert found.edges.tolist() == [0]
    assert found.shares.tolist() == [0.9, 0.1, 0]


def test_feature_that_nobody_has_is_all_missing() -> None:
    found = Distribution.of(np.full(3, np.nan, np.float32))
    assert np.isnan(found.quantiles).all()
    assert found.shares.tolist() == [0, 1]


@given(VALUES)
def test_shares_add_up_and_survive_being_written(values: np.ndarray) -> None:
    found = Distribution.of(values)
    assert found.shares.sum() == pytest.approx(1 if len(values) else 0)
    read = Distribution.read(json.loads(json.dumps(found.as_json())))
    np.testing.assert_array_equal(read.quantiles, found.quantiles)
    np.testing.assert_array_equal(shares(values, read.edges), found.shares)


def test_reference_is_read_from_the_folder_of_a_bundle(tmp_path: Path) -> None:
    stated = describe([("pr", np.array([0.5, 1], np.float32)), ("tier", np.array([np.nan], np.float32))])
    (tmp_path / REFERENCE).write_text(json.dumps(stated))
    assert list(read_reference(tmp_path)) == ["pr", "tier"]


@pytest.mark.parametrize(
    "damage",
    [
        {"edges": []},
        {"edges": None},
        {"edges": [0.75, 0.5]},
        {"shares": []},
        {"shares": [5.0, 5.0, 5.0, 5.0]},
        {"quantiles": []},
        {"quantiles": [1, "x"]},
    ],
)
def test_damaged_distribution_is_refused(damage: dict[str, object], tmp_path: Path) -> None:
    stated = describe([("pr", np.array([0.5, 0.75, 0.75], np.float32))])
    assert len(stated["pr"]["edges"]) == 2
    (tmp_path / REFERENCE).write_text(json.dumps({"pr": stated["pr"] | damage}))
    with pytest.raises(BundleError, match=r"reference\.json: expected distributions of features"):
        read_reference(tmp_path)


@pytest.mark.parametrize("stated", [None, "[]", '{"pr": {}}', '{"pr": 3}'])
def test_bundle_without_a_reference_says_what_to_do(stated: str | None, tmp_path: Path) -> None:
    if stated is not None:
        (tmp_path / REFERENCE).write_text(stated)
    with pytest.raises(BundleError, match=r"reference\.json: expected .*[Ee]xport"):
        read_reference(tmp_path)
