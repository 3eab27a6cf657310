from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import polars as pl
import pytest

from rulerank.bundle.reference import Distribution
from rulerank.errors import InputError
from rulerank.evaluate.skew import RARE, drift, feature_skew, stability_index
from rulerank.text import analyse


def test_stability_index_by_hand() -> None:
    found = stability_index(np.array([0.5, 0.5]), np.array([0.25, 0.75]))
    assert found == pytest.approx(-0.25 * np.log(0.5) + 0.25 * np.log(1.5))
    assert stability_index(np.array([0.3, 0.7]), np.array([0.3, 0.7])) == 0


def test_empty_bin_counts_as_a_rare_one() -> None:
    found = stability_index(np.array([0.0, 1.0]), np.array([1.0, 0.0]))
    assert found == pytest.approx(2 * (1 - RARE) * np.log(1 / RARE))


def _log(**features: list[list[float | None]]) -> pl.DataFrame:
    return pl.DataFrame(
        {name: pl.Series(values, dtype=pl.List(pl.Float32)) for name, values in features.items()}
    ).select(pl.struct(pl.all()).alias("features"))


def test_feature_that_has_changed_comes_first_with_its_null_rate_and_quantiles() -> None:
    values = np.arange(100, dtype=np.float32)
    trained = {"same": Distribution.of(values), "moved": Distribution.of(values)}
    same, moved = values.tolist(), [None] * 50 + [99.0] * 50
    found = feature_skew(_log(same=[same[:40], same[40:]], moved=[moved[:70], moved[70:]]), trained)
    assert found["feature"].to_list() == ["moved", "same"]
    first, second = found.to_dicts()
    assert (first["missing"], first["missing_in_training"]) == (0.5, 0)
    assert (first["q50"], first["q50_in_training"]) == (99, 49)
    assert first["psi"] > 1
    assert second["psi"] == 0


def test_drift_by_day() -> None:
    rows = [
        (datetime(2026, 1, 1, 9, tzinfo=UTC), "Who keeps the register?", 3, 1.0),
        (datetime(2026, 1, 1, 23, tzinfo=UTC), "Who keeps the zebra?", 5, 2.0),
        (datetime(2026, 1, 3, 1, tzinfo=UTC), "Of the?", 0, None),
    ]
    log = pl.DataFrame(
        {
            "time": [row[0] for row in rows],
            "question": [row[1] for row in rows],
            "passage_id": [["p"] * row[2] for row in rows],
            "score": [[row[3]] if row[3] is not None else [] for row in rows],
        },
        schema_overrides={"time": pl.Datetime("us", "UTC"), "score": pl.List(pl.Float64)},
    )
    first, second = drift(log, {"keep": 0, "regist": 1}, analyse, "1d").to_dicts()
    assert (first["start"], first["questions"]) == (datetime(2026, 1, 1, tzinfo=UTC), 2)
    assert (first["terms"], first["unknown"], first["candidates"]) == (2, 0.25, 4)
    assert (first["top_score"], first["psi"]) == (1.5, 0)
    assert (second["start"], second["questions"]) == (datetime(2026, 1, 3, tzinfo=UTC), 1)
    assert (second["terms"], second["unknown"], second["top_score"]) == (0, 0, None)
    assert second["psi"] > 1
    (longer,) = drift(
        log, {"Of": 0, "the?": 1}, lambda texts: [text.split() for text in texts], "1w"
    ).to_dicts()
    assert longer["terms"] == 4
    for window in ("x", "-1d", "0d", "1d; 2d", ""):
        with pytest.raises(InputError, match="--window: expected a length of time such as 1d"):
            drift(log, {}, analyse, window)
