"""Which features params.yaml asks for."""

from __future__ import annotations

import pytest

from rulerank.errors import SettingsError
from rulerank.features.registry import GROUPS
from rulerank.pipeline.chosen import chosen, known_features
from rulerank.settings import Candidates, Extract, Late, Settings, Translation
from tests.features.plugged import RUN


def test_features_of_a_run_from_outside_can_be_chosen() -> None:
    runs = ("bm25", RUN)
    settings = Settings(candidates=Candidates(runs=runs), extract=Extract(features=("tfidf_rank", "deg")))
    assert chosen(settings).names == ["tfidf_rank", "deg"]
    assert {"tfidf_score", "tfidf_rank", "tfidf_share"} <= set(known_features(settings).names)


def test_generator_that_takes_the_name_of_another_is_refused() -> None:
    settings = Settings(candidates=Candidates(runs=("dense", "rulerank.retrieve.late:Late")))
    with pytest.raises(SettingsError, match=r"candidates\.runs: .* found 'late' with late_score, late_rank"):
        chosen(settings)


def test_groups_that_are_switched_off_are_not_chosen() -> None:
    off = {"late": Late(epochs=0), "translation": Translation(rounds=0)}
    settings = Settings(extract=Extract(judgement=False), **off)
    assert {each.group for each in chosen(settings)} == set(GROUPS) - {"judgement", *off}


def test_features_of_the_second_pass_alone_are_refused() -> None:
    settings = Settings(extract=Extract(features=("first_score",)))
    with pytest.raises(SettingsError, match=r"the first pass can learn from, found .*: first_score"):
        chosen(settings)
    both = Settings(extract=Extract(features=("first_score", "deg")))
    assert chosen(both).names == ["first_score", "deg"]
