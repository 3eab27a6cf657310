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


def _ranked(*rows: tuple[datetime, str, str, int, float | None]) -> pl.DataFrame:
    """Return a log of time, question, model, number of candidates and best score, None without candidates."""
    times, questions, models, candidates, scores = zip(*rows, strict=True)
    return pl.DataFrame(
        {
            "time": times,
            "question": questions,
            "model": models,
            "passage_id": [["p"] * number for number in candidates],
            "score": [[] if score is None else [score] for score in scores],
        },
        schema_overrides={"time": pl.Datetime("us", "UTC"), "score": pl.List(pl.Float64)},
    )


def test_drift_by_day() -> None:
    log = _ranked(
        (datetime(2026, 1, 1, 9, tzinfo=UTC), "Who keeps the register?", "ranker", 3, 1.0),
        (datetime(2026, 1, 1, 23, tzinfo=UTC), "Who keeps the zebra?", "ranker", 5, 2.0),
        (datetime(2026, 1, 3, 1, tzinfo=UTC), "Of the?", "ranker", 0, None),
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


def test_scores_are_compared_with_those_of_the_same_model() -> None:
    days = [datetime(2026, 1, day, tzinfo=UTC) for day in (1, 2, 3)]
    log = _ranked(
        *((days[1], "Who keeps the register?", "tuned", 3, 8.0 + place) for place in range(3)),
        *((days[0], "Who keeps the register?", "ranker", 3, 1.0 + place) for place in range(3)),
        *((days[2], "Who keeps the register?", "ranker", 3, 1.0 + place) for place in range(3)),
        (days[2], "Who keeps the register?", "tuned", 3, 1.0),
    )
    found = drift(log, {"keep": 0, "regist": 1}, analyse, "1d")
    assert found.select("model", "start", "questions", "top_score").rows() == [
        ("ranker", days[0], 3, 2),
        ("ranker", days[2], 3, 2),
        ("tuned", days[1], 3, 9),
        ("tuned", days[2], 1, 1),
    ]
    assert found["psi"][:3].to_list() == [0, 0, 0]
    assert found["psi"][3] > 1
