from __future__ import annotations

import pytest

from rulerank.answer.verification.force import Modal, denied, disagreement, modals


@pytest.mark.parametrize(
    ("sentence", "force", "act"),
    [
        ("The master must promptly report.", "obligation", "report"),
        ("It is the duty of the master to report.", "obligation", "report"),
        ("The master is to report.", "obligation", "report"),
        ("The master is required to comply.", "obligation", "compli"),
        ("The master shall not anchor.", "prohibition", "anchor"),
        ("No person may anchor.", "prohibition", "anchor"),
        ("Anchoring is prohibited.", "prohibition", ""),
        ("The master may only anchor.", "restriction", "anchor"),
        ("The master must on no account anchor.", "prohibition", "anchor"),
        ("The master may anchor only on Sundays.", "restriction", "anchor"),
        ("The master need not report.", "exemption", "report"),
        ("The master should report.", "recommendation", "report"),
        ("The master is entitled to rest.", "permission", "rest"),
    ],
)
def test_a_sentence_makes_something_of_an_act(sentence: str, force: str, act: str) -> None:
    assert modals(sentence) == [Modal(force, act)]


def test_a_sentence_may_rule_on_several_acts_and_on_none() -> None:
    assert modals("Tugs must stop and may whistle.") == [
        Modal("obligation", "stop"),
        Modal("permission", "whistl"),
    ]
    assert modals("“Tug” means a vessel that tows.") == []


def test_what_is_denied_is_no_part_of_a_ban() -> None:
    assert denied("The rule does not apply. Tugs must not stop.") == {"appli": 1}


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("A pilot may not rest.", "No pilot may rest."),
        ("The master must not anchor.", "Under no circumstances may the master anchor."),
        ("The fee is 5 dollars.", "The fee is 5 dollars and must be paid."),
        ("Masters have to report.", "The master must report and may rest."),
        ("The rule does not apply to tugs.", "The rule applies to barges, and does not apply to tugs."),
    ],
)
def test_the_same_force_in_other_words_agrees(claim: str, support: str) -> None:
    assert disagreement(claim, support) is None


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("The master may report.", "The master must report and may rest."),
        ("The master must anchor.", "The master may anchor."),
        ("The master may anchor.", "The master may only anchor."),
        ("The gate must be opened.", "The gate must on no account be opened."),
        ("The master may anchor on Sundays.", "The master may anchor only on Sundays."),
        ("The master must anchor only on Sundays.", "The master may anchor only on Sundays."),
        ("The rule applies.", "The rule does not apply."),
        ("The rule does not apply.", "The rule applies."),
        ("The master must report.", "The master reported."),
    ],
)
def test_another_force_does_not(claim: str, support: str) -> None:
    assert disagreement(claim, support)
