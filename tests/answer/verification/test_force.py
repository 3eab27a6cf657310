from __future__ import annotations

import time

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
        ("The master shall be entitled to rest.", "permission", "rest"),
        ("The master shall, on request, be permitted to rest.", "permission", "rest"),
        ("The master shall also have the right to rest.", "permission", "rest"),
        ("The Authority shall have the power to fine.", "permission", "fine"),
        ("It is not unlawful to fish.", "permission", "fish"),
        ("It shall not be unlawful to fish.", "permission", "fish"),
        ("It shall be unlawful to fish.", "prohibition", "fish"),
        ("No master is permitted to anchor.", "prohibition", "anchor"),
        ("No master shall be permitted to anchor.", "prohibition", "anchor"),
        ("No debt is due and the master is entitled to rest.", "permission", "rest"),
        ("The master shall not be entitled to anchor.", "prohibition", "anchor"),
        ("The pilot shall be exempt from the fee.", "exemption", "fee"),
        ("The pilot shall not be required to report.", "exemption", "report"),
        ("The pilot must never be required to report.", "exemption", "report"),
        ("The master must be authorised to anchor.", "obligation", "authoris"),
        ("The master must not only report.", "obligation", "report"),
        ("Nobody is allowed to anchor.", "prohibition", "anchor"),
        ("Anchoring is banned.", "prohibition", ""),
        ("Reporting is compulsory.", "obligation", ""),
        ("Nobody may anchor.", "prohibition", "anchor"),
        ("None of the pilots may anchor.", "prohibition", "anchor"),
        ("No-one shall anchor.", "prohibition", "anchor"),
        ("The master isn't allowed to anchor.", "prohibition", "anchor"),
        ("The master can't anchor.", "prohibition", "anchor"),
        ("Anchoring is not permitted here.", "prohibition", ""),
        ("Anchoring is strictly prohibited.", "prohibition", ""),
        ("The master is under an obligation to report.", "obligation", "report"),
        ("The master has an obligation to report.", "obligation", "report"),
        ("The master doesn't have to report.", "exemption", "report"),
        ("The master needn't report.", "exemption", "report"),
        ("There is no requirement to report.", "exemption", "report"),
        ("The master is under no obligation to report.", "exemption", "report"),
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


def test_the_month_of_may_permits_nothing() -> None:
    assert modals("Tugs shall stop no later than 31 May 2024 and whistle.") == [Modal("obligation", "stop")]
    assert modals("Tugs shall stop by 31st May or in May 2024.") == [Modal("obligation", "stop")]
    assert modals("Rule 3 may apply.") == [Modal("permission", "appli")]
    assert modals("Report no later than the day on which tugs may stop.") == [Modal("permission", "stop")]
    assert denied("Tugs must stop, not on 31 May 2024, but later.") == {"later": 1}


def test_what_is_denied_is_no_part_of_a_ban() -> None:
    assert denied("The rule does not apply. Tugs must not stop.") == {"appli": 1}


@pytest.mark.parametrize(
    ("claim", "support"),
    [
        ("A pilot may not rest.", "No pilot may rest."),
        ("The master must not anchor.", "Under no circumstances may the master anchor."),
        ("The fee is 5 dollars.", "The fee is 5 dollars and must be paid."),
        ("Firms must keep copies.", "Firms shall report no later than 31 May 2024 and keep copies."),
        ("A firm must report by 1 May 2024.", "A firm shall report no later than 1 May 2024."),
        ("A client is entitled to a refund.", "A client shall be entitled to a refund."),
        ("No client is entitled to a refund.", "No client shall be entitled to a refund."),
        ("A client has the right to rest.", "A client shall have the right to rest."),
        ("A pilot is exempt from the fee.", "A pilot shall be exempt from the fee."),
        ("A pilot need not report.", "A pilot shall not be required to report."),
        ("A person may fish.", "It is not unlawful to fish."),
        ("Masters have to report.", "The master must report and may rest."),
        ("The rule does not apply to tugs.", "The rule applies to barges, and does not apply to tugs."),
        ("No pilot may rest.", "None of the pilots may rest."),
        ("The rule applies to vessels except tugs.", "The rule applies to vessels other than tugs."),
        ("The rule applies to vessels apart from tugs.", "The rule applies to vessels, save for tugs."),
        ("A tug must not stop without consent.", "A tug must not stop except with consent."),
        ("A tug must save records.", "A tug shall save records."),
        ("The office must consider the risk.", "The office must have regard to the risk."),
        ("A tug doesn't have to stop.", "A tug is not required to stop."),
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
        ("Firms must not keep copies.", "Firms shall report no later than 31 May 2024 and keep copies."),
        ("A client must take a refund.", "A client shall be entitled to a refund."),
        ("A client is entitled to a refund.", "No client shall be entitled to a refund."),
        ("A client is entitled to a refund.", "A client shall not be entitled to a refund."),
        ("It is unlawful to fish.", "It is not unlawful to fish."),
        ("The gate must be opened.", "The gate must on no account be opened."),
        ("The master may anchor on Sundays.", "The master may anchor only on Sundays."),
        ("The master must anchor only on Sundays.", "The master may anchor only on Sundays."),
        ("The master must refrain from reporting.", "The master must report."),
        ("The master may anchor.", "Anchoring is prohibited."),
        ("Anchoring is permitted.", "Anchoring is prohibited."),
        ("The rule applies.", "The rule does not apply."),
        ("The rule does not apply.", "The rule applies."),
        ("The master must report.", "The master reported."),
        ("The directors may vote.", "None of the directors may vote."),
        ("Anyone may anchor.", "Nobody may anchor."),
        ("The rule applies to vessels including tugs.", "The rule applies to vessels other than tugs."),
        ("The value of the home is included.", "Excluding the value of the home."),
        ("A tug may stop without consent.", "A tug must not stop except with consent."),
        ("The debts bind the master.", "None of the debts bind the master."),
        ("A tug must stop.", "There is no requirement for a tug to stop."),
    ],
)
def test_another_force_does_not(claim: str, support: str) -> None:
    assert disagreement(claim, support)


@pytest.mark.parametrize(
    "piece", ["none ", "nobody x ", "save for ", "is ", "apart from with ", "isn't ", "no "]
)
def test_time_is_linear(piece: str) -> None:
    start = time.process_time()
    disagreement(piece * (100_000 // len(piece)), piece * (100_000 // len(piece)))
    assert time.process_time() - start < 2
