"""A run lends its training questions, and another learns from them."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.errors import InputError

PROJECT = Path(__file__).parents[2]
LEND = str(PROJECT / "experiments/lend.py")
FEW: dict[str, Any] = {
    "data": {"root": "data"},
    "adapter": {"epochs": 1},
    "ranker": {"num_iterations": 5},
}
LEARNING = "first_pass", "listwise", "tune", "ranker"


@pytest.fixture
def lent(workshop: Any, write: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A run whose questions are lent to itself as those of a corpus called `guild`."""
    write()
    workshop.up_to("ranker")
    monkeypatch.setattr("sys.argv", ["lend.py"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_path(LEND, run_name="__main__")
    for path in (workshop.folder / "data/others").rglob("data.*"):
        path.rename(path.with_stem("guild"))
    return workshop


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_both_rankers_learn_from_what_is_lent_and_measure_their_own_questions(lent: Any) -> None:
    alone = [lent.content(room) for room in ("first_pass", "ranker")]
    measured = pl.read_parquet(lent.outputs / "out_of_fold.parquet")
    lent.write_params(lent.folder, {**FEW, "ranker": {**FEW["ranker"], "others": {"guild": 0.5}}})
    lent.stage(*LEARNING)
    together = [lent.content(room) for room in ("first_pass", "ranker")]
    assert all(before != after for before, after in zip(alone, together, strict=True))
    again = pl.read_parquet(lent.outputs / "out_of_fold.parquet")
    assert again.select("run", "query_id").equals(measured.select("run", "query_id"))
    assert lent.read("figures/ranker.json")["queries"] == measured["query_id"].n_unique()


@pytest.mark.filterwarnings("ignore::rulerank.errors.DataWarning")
def test_a_corpus_that_lent_nothing_stops_the_first_stage_that_would_learn(lent: Any) -> None:
    lent.write_params(lent.folder, {**FEW, "ranker": {**FEW["ranker"], "others": {"guilds": 0.5}}})
    with pytest.raises(InputError, match=r"pairs/guilds\.json: expected what the corpus guilds lends"):
        lent.stage("first_pass")
