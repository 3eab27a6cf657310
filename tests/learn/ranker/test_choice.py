from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.features.registry import registered
from rulerank.files import write_json
from rulerank.learn.ranker.choice import read_choice
from tests.learn.present import present_choice


def test_choice_keeps_the_features_of_its_groups() -> None:
    everything = registered()
    choice = present_choice().model_copy(update={"groups": everything.groups})
    assert choice.features(everything) == everything
    few = ("lexical", "fusion")
    kept = choice.model_copy(update={"groups": few}).features(everything)
    assert kept.groups == few
    assert len(kept) == sum(each.group in few for each in everything)


def test_choice_learns_from_the_first_pairs_of_the_best_order_known() -> None:
    table = pl.DataFrame(
        {
            "query_id": ["a", "a", "a", "b", "b"],
            "relevance": [1, 0, 0, 0, 1],
            "fused_rank": [2.0, 1.0, 3.0, 1.0, 3.0],
            "first_rank": [3.0, 2.0, 1.0, 2.0, 1.0],
        }
    )
    choice = present_choice(depth=2)
    # a has nothing relevant left; b has one pair too deep for the order of the first pass.
    assert choice.training(table).equals(table[3:])
    assert choice.training(table.drop("first_rank")).equals(table[:2].drop("first_rank"))
    unordered = table.drop("first_rank", "fused_rank")
    assert choice.training(unordered).equals(unordered)


def test_read_choice_gives_back_what_was_written(tmp_path: Path) -> None:
    write_json(tmp_path / "best.json", present_choice(num_leaves=20).model_dump(mode="json"))
    assert read_choice(tmp_path / "best.json") == present_choice(num_leaves=20)


def test_read_choice_names_the_value_out_of_range(tmp_path: Path) -> None:
    values = present_choice().model_dump(mode="json")
    values["ranker"]["learning_rate"] = 2
    write_json(tmp_path / "best.json", values)
    with pytest.raises(InputError, match=r"best\.json: ranker\.learning_rate: .*dvc repro tune"):
        read_choice(tmp_path / "best.json")
