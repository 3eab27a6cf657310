from __future__ import annotations

import pytest

from rulerank.obligations import statements
from rulerank.obligations.modality import modal

STATED = {
    "obligation": [
        "An Authorised Person must keep records.",
        "A financial institution shall disclose the fee.",
        "It is the duty of the master to keep a log.",
        "The pilot is to sound the horn.",
        "Records are to be kept for six years.",
        "The firm remains wholly responsible for what it outsources.",
        "The Governing Body is responsible for the policies.",
        "A Fund Manager is required to appoint an auditor.",
        "A notification to the Regulator is required when control changes.",
        "The trustee is under a duty to act in good faith.",
        "A lessor has to give notice.",
        "Rule 3.2 requires an Insurer to hold capital.",
        "Where a person applies, the bank must reply.",
        "Filing is mandatory.",
        "The master may sign and must file the log.",
        "The bank must ensure that a fee cannot rise.",
        "The bank must reply soon, but in no event later than the day on which it may close.",
        "The bank must reply no later than the day on which the fee is required.",
    ],
    "prohibition": [
        "A Person must not mislead the Regulator.",
        "No person may enter the harbour.",
        "No fee shall exceed five dollars.",
        "A creditor may not discriminate.",
        "A Fund may only invest in Securities.",
        "A bank may lend to a director only if the board agrees.",
        "A consumer may be held liable, within limits, for a transfer only if the bank has told her.",
        "It is an offence to obstruct an inspector.",
        "A person who obstructs an inspector commits an offence.",
        "Smoking is not permitted.",
        "Broadcasts are prohibited.",
        "The seal is not to be broken.",
        "The crew must under no circumstances sleep.",
        "Neither the bank nor its agent may charge a fee.",
        "Under no circumstances may a person enter.",
        "At no time shall a vessel anchor here.",
        "In no event shall the fee exceed five dollars.",
        "The gate must on no account be opened.",
        "The gate must at no time be opened.",
        "No vessel, whatever its size, may anchor here.",
        "A visitor cannot enter the valve room.",
        "A visitor can not enter the valve room.",
        "A visitor can’t enter the valve room.",
        "The bank is required not to disclose the code.",
        "A transfer may be authorized only by a writing.",
        "Only the consumer may authorize the transfer.",
    ],
    "recommendation": [
        "A firm should review its policies.",
        "Insurers are expected to plan ahead.",
        "The Regulator expects firms to plan ahead.",
        "A bank should not rely on one source.",
        "Firms are encouraged to ask.",
    ],
    "permission": [
        "The Regulator may extend the period.",
        "A Recognised Body is permitted to delegate.",
        "A pilot need not sign.",
        "The Authority shall have the power to fine.",
        "A lessor is not required to disclose the rate.",
        "A Person shall not be required to answer.",
        "A person who cannot pay may apply to the Court.",
        "No operator is required to disclose the rate.",
        "No license is required.",
        "Nothing in this section prevents a bank from charging.",
        "The Regulator may, if a fee must be paid, waive it.",
        "A person who must register may apply to the Court.",
        "If the bank must close, the Regulator may wait.",
        "The creditor shall have no further obligation if the applicant fails to respond.",
    ],
    "definition": [
        "“Client Money” means money that must be segregated.",
        "Guidance means what the Regulator issues under section 5.",
        "Approved Person means a person approved under section 43.",
        "In this Part, “fee” includes any charge.",
        "The term “remittance transfer” does not include a gift card.",
        "Clearing has the meaning given in section 2.",
        "References to a bank are to be read as references to its branches.",
        "For purposes of this section, the term error means a wrong transfer.",
        "Unit, in relation to a Fund, means a share in it.",
    ],
    None: [
        "The purpose of this Rule is to protect clients.",
        "This Chapter shall not apply to Insurers.",
        "Fees rise on 1 May 2016.",
        "This paragraph does not limit any other remedy that may be available.",
        "A report includes three tables.",
        "That is to say, all of them.",
        "REGULATORY REQUIREMENTS",
    ],
}


@pytest.mark.parametrize(
    ("modality", "sentence"),
    [(modality, sentence) for modality, sentences in STATED.items() for sentence in sentences],
)
def test_modality_is_that_of_the_main_clause(modality: str | None, sentence: str) -> None:
    assert [each.modality for each in statements(sentence)] == [modality]


@pytest.mark.parametrize(
    ("modality", "sentence"),
    [
        ("permission", "If the Court cannot find out who the owner is, the Court may make such order."),
        ("permission", "A firm may publish a notice that applies only to clients."),
        ("permission", "A person may object to a decision made only on the papers."),
        ("permission", "In no case is a fee due, and the owner may leave."),
        (None, "This does not mean that a fund cannot invest."),
        (None, "It cannot be known yet."),
        ("prohibition", "Transfers may be authorised only by a writing."),
        ("prohibition", "A firm cannot lend."),
    ],
)
def test_cannot_and_only_forbid_where_they_are_about_the_act(modality: str | None, sentence: str) -> None:
    found = modal(sentence)
    assert (found and found.modality) == modality
