from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rulerank.learn.out_of_fold import Fold, Folds, OutOfFold, fit_out_of_fold
from tests.learn.apart import apart

PARTS = OutOfFold("all", {0: "without 0", 2: "without 2"})


def _write(text: str, path: Path) -> None:
    path.write_text(text)


def test_fold_is_served_by_what_was_fitted_without_it_and_everyone_else_by_the_whole() -> None:
    assert [PARTS.for_fold(fold) for fold in (0, 2, None)] == ["without 0", "without 2", "all"]


def test_fold_without_a_training_example_is_served_by_the_whole() -> None:
    assert PARTS.for_fold(1) == "all"


def test_items_are_every_fold_and_at_last_the_whole() -> None:
    assert list(PARTS.items()) == [(0, "without 0"), (2, "without 2"), (None, "all")]


def test_map_applies_a_function_to_every_part() -> None:
    assert dict(PARTS.map(len).items()) == {0: 9, 2: 9, None: 3}


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    PARTS.save(tmp_path / "parts", _write)
    assert list(OutOfFold.load(tmp_path / "parts", Path.read_text).items()) == list(PARTS.items())


def test_whole_without_folds_is_saved_and_loaded(tmp_path: Path) -> None:
    OutOfFold("all", {}).save(tmp_path, _write)
    assert list(OutOfFold.load(tmp_path, Path.read_text).items()) == [(None, "all")]


def test_part_that_is_missing_on_disk_is_an_error_and_not_the_whole(tmp_path: Path) -> None:
    PARTS.save(tmp_path, _write)
    (tmp_path / "without_fold_2").unlink()
    with pytest.raises(FileNotFoundError, match="without_fold_2"):
        OutOfFold.load(tmp_path, Path.read_text)


def _fit(fold: Fold, kept: NDArray[np.bool_]) -> tuple[Fold, list[int]]:
    return fold, np.flatnonzero(kept).tolist()


def test_each_fold_is_fitted_without_and_all_together() -> None:
    fitted = fit_out_of_fold(apart([2, 0, 2]), _fit, "fitting")
    assert dict(fitted.items()) == {0: (0, [0, 2]), 2: (2, [1]), None: (None, [0, 1, 2])}


def test_models_of_a_fold_learn_from_no_question_that_is_hidden_from_it() -> None:
    # The second question is served by fold 2, to whose models its document is new; so is that of the first.
    table = pl.DataFrame(
        {"served_by": [0, 2, 1], "hidden_from": [[0, 2], [1, 2], [1]]},
        {"served_by": pl.Int8, "hidden_from": pl.List(pl.Int8)},
    )
    fitted = fit_out_of_fold(Folds.of(table), _fit, "fitting")
    assert dict(fitted.items()) == {0: (0, [1, 2]), 1: (1, [0]), 2: (2, [2]), None: (None, [0, 1, 2])}


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_leak_nothing_that_serves_a_question_was_fitted_on_it(folds: list[int]) -> None:
    fitted = fit_out_of_fold(apart(folds), _fit, "fitting")
    for question, fold in enumerate(folds):
        assert question not in fitted.for_fold(fold)[1]
    assert fitted.full[1] == list(range(len(folds)))
