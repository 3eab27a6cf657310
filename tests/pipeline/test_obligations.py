"""The stage obligations, with and without labelled sentences."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from rulerank.obligations.classifier import load_classifier


def test_stage_without_labelled_sentences_leaves_no_classifier(workshop: Any) -> None:
    workshop.stage("obligations")
    assert load_classifier(workshop.outputs / "obligations") is None
    assert workshop.read("figures/obligations.json") == {"sentences": 0}


def test_stage_trains_on_the_labelled_sentences_and_gives_the_same_bytes_again(workshop: Any) -> None:
    records = [
        {"Text": f"{who} {verb} {deed}.", "Obligation": verb != "may"}
        for who, deed, verb in product(
            ("The pilot", "A bank", "Every fund", "The mate", "An agent"),
            ("sign", "rest", "pay", "call", "wait", "log", "file", "stay", "post", "lock"),
            ("must", "may", "is bound by oath to"),
        )
    ]
    (workshop.folder / "labelled.json").write_text(json.dumps(records))
    workshop.write_params(workshop.folder, {"answer": {"obligations": "labelled.json"}})
    workshop.stage("obligations")
    classifier = load_classifier(workshop.outputs / "obligations")
    assert classifier is not None
    probabilities = classifier.probabilities(["The bank is bound by oath to pay.", "It may."])
    assert (probabilities > 0.5).tolist() == [True, False]
    figures = workshop.read("figures/obligations.json")
    assert (figures["sentences"], figures["repeats"], figures["conflicts"]) == (150, 0, 0)
    first = workshop.content("obligations")
    workshop.stage("obligations")
    assert workshop.content("obligations") == first
