from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from experiments.bench.by_hand import ByHand, by_hand

PASSAGES = pl.DataFrame(
    {
        "passage_id": ["tug", "fee", "blank", "fire"],
        "text": [
            "The tug operator must keep a log of every tow.",
            "A berth fee is due on arrival.",
            " ",
            "Fire extinguishers are tested once a year.",
        ],
    }
)
QUERIES = pl.DataFrame({"query_id": ["a", "b"], "text": ["Who keeps a log of tows?", "When is the fee due?"]})
JUDGED = pl.DataFrame(
    {"query_id": ["a", "b"], "passage_id": ["tug", "fee"], "relevance": [1, 1]},
    schema_overrides={"relevance": pl.Int8},
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_first_passage_shares_words_and_meaning_with_the_question() -> None:
    baseline = ByHand(PASSAGES.filter(pl.col("text") != " ")["text"].to_list())
    assert [baseline.search(text)[0] for text in QUERIES["text"]] == [0, 1]
    assert len(list(Path(".cache/bench").glob("*.npy"))) == 1


def test_baseline_is_timed_and_measured_on_passages_with_text() -> None:
    latency, recall = by_hand(PASSAGES, QUERIES, JUDGED, QUERIES["text"].to_list(), threads=1, repeats=2)
    assert latency["repeats"] == 2
    assert latency["p50"] > 0
    assert recall["p50"] == 1.0
