"""Whole reference sets: what changes a rule belongs with it."""

from __future__ import annotations

from rulerank.corpora.sample.references import DIRECT, SUPPORTING, reference_set
from rulerank.corpora.sample.wording import vocabulary
from rulerank.corpora.sample.world import Regime
from rulerank.corpora.sample.write import draw_rulebook

ASPECTS = vocabulary("english", "aspects")
REGIMES = tuple(draw_rulebook(7, "english")[0].regimes.values())


def _of(regime: Regime, name: str) -> dict[str, int]:
    return {own: grade for (_, own), grade in reference_set(regime, ASPECTS, (regime.key, name)).items()}


def _with(*names: str) -> Regime:
    return next(regime for regime in REGIMES if regime.aspects >= set(names))


def test_a_renewed_provision_is_with_its_renewal_and_with_where_that_does_not_apply() -> None:
    regime = _with("succession", "holdover")
    renewed = regime.aliases["successor-target"]
    whole = _of(regime, renewed)
    assert whole[renewed] == whole["succession"] == DIRECT
    assert whole["holdover"] == SUPPORTING
    assert _of(regime, "holdover") == {"holdover": DIRECT, renewed: SUPPORTING, "succession": SUPPORTING}


def test_of_two_amendments_the_last_answers() -> None:
    regime = _with("amendment", "reamendment")
    amended = regime.aliases["amended-target"]
    whole = _of(regime, amended)
    assert (whole[amended], whole["amendment"], whole["reamendment"]) == (DIRECT, SUPPORTING, DIRECT)


def test_no_set_holds_a_changed_rule_without_all_of_its_changes() -> None:
    changes = {"amended-target": ("amendment", "reamendment"), "successor-target": ("succession", "holdover")}
    seen = 0
    for regime in REGIMES:
        for name in regime.aspects:
            whole = _of(regime, name)
            for role, changing in changes.items():
                if regime.aliases[role] in whole:
                    expected = regime.aspects.intersection(changing)
                    assert expected <= whole.keys(), (regime.key, name)
                    seen += bool(expected)
    assert seen > 50


def test_a_general_provision_stands_alone() -> None:
    assert reference_set(REGIMES[0], ASPECTS, ("", "agent")) == {("", "agent"): DIRECT}
