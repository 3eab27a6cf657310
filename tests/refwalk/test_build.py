from __future__ import annotations

import pytest

from rulerank.errors import SettingsError
from rulerank.ranker import Ranker
from rulerank.refwalk.anchor import AnchorSource
from rulerank.refwalk.build import anchor_model, settings_of
from rulerank.refwalk.rules import rule_anchor
from rulerank.settings import RefWalkSettings


def test_settings_are_those_of_the_bundle_but_for_what_is_changed(ranker: Ranker) -> None:
    assert settings_of(ranker.bundle, hops=None) == RefWalkSettings()
    assert settings_of(ranker.bundle, hops=3, fusion="rrf") == RefWalkSettings(hops=3, fusion="rrf")


def test_setting_out_of_range_is_an_error(ranker: Ranker) -> None:
    with pytest.raises(SettingsError, match="refwalk: fusion: input should be 'rrf', 'wrrf', 'rrm' or"):
        settings_of(ranker.bundle, fusion="borda")


def test_anchors_are_by_rules_where_no_language_model_is_configured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RULERANK_LLM_URL", "RULERANK_LLM_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert anchor_model(AnchorSource.auto) is rule_anchor
    with pytest.raises(SettingsError, match="RULERANK_LLM_URL: expected a language model, found none"):
        anchor_model(AnchorSource.llm)


def test_anchors_are_by_rules_where_rules_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULERANK_LLM_URL", "http://localhost:9/v1")
    monkeypatch.setenv("RULERANK_LLM_MODEL", "any")
    assert anchor_model(AnchorSource.rules) is rule_anchor
    assert anchor_model(AnchorSource.auto) is not rule_anchor
