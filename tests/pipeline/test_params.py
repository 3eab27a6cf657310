"""Settings of params.yaml and the environment are followed, or refused by name."""

from __future__ import annotations

import json
from typing import Any

import polars as pl
import pytest

from rulerank.errors import SettingsError
from rulerank.ranker import Ranker


def test_unknown_key_in_params_is_answered_with_the_nearest_one(workshop: Any, write: Any) -> None:
    write()
    workshop.write_params(workshop.folder, {"ranker": {"num_leafs": 3}})
    with pytest.raises(SettingsError, match=r"ranker\.num_leafs: unknown key.* ranker\.num_leaves"):
        workshop.stage("prepare")


def test_value_out_of_range_in_params_is_named_with_its_limit(workshop: Any, write: Any) -> None:
    write()
    workshop.write_params(workshop.folder, {"prepare": {"folds": 1}})
    with pytest.raises(
        SettingsError, match=r"prepare\.folds: input should be greater than or equal to 2, found 1"
    ):
        workshop.stage("prepare")


def test_data_folder_that_dvc_does_not_know_of_is_refused(
    workshop: Any, write: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    monkeypatch.setenv("RULERANK_DATA", "elsewhere")
    with pytest.raises(SettingsError, match="make reproduce DATA=elsewhere"):
        workshop.stage("prepare")


def test_grades_are_as_given_or_yes_and_no(workshop: Any, rulebook: Any, write: Any) -> None:
    query, passage, _ = rulebook.judged["dev"][0]
    rulebook.judged["dev"][0] = (query, passage, 2)
    rulebook.judged["train"].append((rulebook.judged["train"][-1][0], "baker-visit", 0))
    write()
    for grades, expected in (("given", {0, 1, 2}), ("binary", {0, 1})):
        workshop.write_params(
            workshop.folder, {"data": {"root": "data"}, "prepare": {"folds": 2, "grades": grades}}
        )
        workshop.stage("prepare")
        judged = pl.read_parquet(workshop.outputs / "tables/judgements.parquet")
        assert set(judged["relevance"]) == expected


def test_judgements_switched_off_give_one_model_without_their_features(workshop: Any, write: Any) -> None:
    write()
    changes = {"data": {"root": "data"}, "adapter": {"epochs": 0}, "extract": {"judgement": False}}
    workshop.write_params(workshop.folder, changes)
    workshop.up_to("evaluate")
    groups = {
        row["group"] for row in json.loads((workshop.outputs / "ranker/ranker/features.json").read_text())
    }
    assert "judgement" not in groups
    assert workshop.read("trust/limits.json") is None
    assert "ranker_without_judgement" not in workshop.read("evaluation/metrics.json")["test"]["runs"]


def test_translation_switched_off_gives_a_ranker_without_a_table(workshop: Any, write: Any) -> None:
    write()
    changes = {"data": {"root": "data"}, "adapter": {"epochs": 0}, "translation": {"rounds": 0}}
    workshop.write_params(workshop.folder, changes)
    workshop.up_to("export")
    assert not (workshop.outputs / "bundle/index/translation").exists()
    ranker = Ranker.load("outputs/bundle")
    assert not [name for name in ranker.features if name.startswith("translation")]
    assert ranker.rank("Who enters sales in a ledger?")


def test_late_interaction_switched_off_leaves_its_settings_alone(workshop: Any, write: Any) -> None:
    write()
    changes = {"data": {"root": "data"}, "adapter": {"epochs": 0}, "late": {"epochs": 0}}
    workshop.write_params(workshop.folder, changes)
    workshop.up_to("extract")
    (left,) = (workshop.outputs / "late").iterdir()
    assert json.loads(left.read_text())["epochs"] == 0
    features = pl.read_parquet_schema(workshop.outputs / "pairs.parquet")
    assert not [name for name in features if name.startswith("late")]
