from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulerank.bundle import RANKER, describe_bundle, load_bundle
from rulerank.bundle.card import licence_of, model_card
from rulerank.features.trust import Limits


def test_description_says_what_is_in_the_bundle(bundle: Path) -> None:
    said, loaded = describe_bundle(bundle), load_bundle(bundle)
    assert said["format"] == 15
    assert said["rows"]["passages"] == loaded.passages.height
    assert sum(said["bytes"].values()) == sum(
        path.stat().st_size for path in bundle.rglob("*") if path.is_file()
    )
    model = said["models"][RANKER]
    assert model["trees"] == loaded.models[RANKER].trees.rounds
    assert sum(model["features"].values()) == len(loaded.models[RANKER].features)
    assert model["slope"] == loaded.models[RANKER].curve["slope"]
    assert said["settings"]["candidates"]["runs"] == list(loaded.candidates.runs)


def test_model_card_says_data_features_figures_and_limits(bundle: Path) -> None:
    card = (bundle / "MODEL_CARD.md").read_text()
    manifest = json.loads((bundle / "manifest.json").read_text())
    for digest in manifest["data"]["files"].values():
        assert digest in card
    assert f"questions: {manifest['questions']['train']} train" in card
    figure = manifest["out_of_fold"][RANKER]["nDCG@10"]
    assert 0 <= figure["low"] <= figure["mean"] <= figure["high"] <= 1
    shown = f"{figure['mean']:.4f} | {figure['low']:.4f} to {figure['high']:.4f} | {figure['n']} |"
    assert f"| {RANKER} | nDCG@10 | {shown}" in card
    assert "gives no legal advice" in card
    assert "Load bundles that you trust." in card
    assert "| onnxruntime | 1." in card


@pytest.mark.parametrize(
    ("trust", "told"),
    [
        (
            {"leaders_judged": (0.5, 0.8), "leaders_covered": (0.98, 0.98)},
            "`ranker` leaves questions with less than leaders_covered 0.980 or leaders_judged 0.500 to "
            "`ranker_on_new_rules`.\n"
            "With less than leaders_covered 0.980 or leaders_judged 0.800, the scores are the means of "
            "both.\n",
        ),
        (
            {"leaders_judged": (0.0, 0.1), "leaders_covered": (0.98, 0.98)},
            "`ranker` leaves questions with less than leaders_covered 0.980 to `ranker_on_new_rules`.\n"
            "With less than leaders_covered 0.980 or leaders_judged 0.100, the scores are the means of "
            "both.\n",
        ),
        (None, "`ranker` answers every question itself.\n"),
    ],
)
def test_model_card_says_which_questions_are_left_to_another_model(
    bundle: Path, trust: Limits | None, told: str
) -> None:
    assert told in model_card(replace(load_bundle(bundle), trust=trust), {})


def test_card_of_a_bundle_that_says_nothing_of_its_making_says_so(bundle: Path) -> None:
    card = model_card(load_bundle(bundle), {})
    assert "None were recorded when the bundle was written." in card
    assert "questions: not recorded" in card


def test_licence_is_what_the_package_says() -> None:
    assert licence_of("lightgbm") == "MIT"
    assert licence_of("tokenizers") == "Apache Software License"


def test_commands_print_text_and_json(bundle: Path, pipeline: Path, call: Callable[..., Any]) -> None:
    told = call("bundle", "describe", bundle)
    assert told.code == 0
    assert told.out.startswith("format  ")
    said = json.loads(
        call("bundle", "describe", bundle, "--json", "--evaluation", pipeline / "outputs/evaluation").out
    )
    measured = json.loads((pipeline / "outputs/evaluation/metrics.json").read_text())["test"]["runs"][RANKER]
    held_out = said["held_out"]["test"]["nDCG@10"]
    assert abs(held_out["mean"] - measured["nDCG@10"]) < 1e-9
    assert held_out["low"] <= held_out["mean"] <= held_out["high"]
    assert call("bundle", "diff", bundle, bundle).out.startswith("files")
    missing = call("bundle", "describe", bundle, "--evaluation", bundle)
    assert (missing.code, "Run `dvc repro evaluate`" in missing.err) == (1, True)
