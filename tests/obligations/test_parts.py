from __future__ import annotations

import pytest

from rulerank.obligations import statements

PARTS = [
    (
        "Under Rule 5.3.1, an Authorised Person, other than a Branch, must by 1 January 2016 hold AED 9.",
        {
            "actor": ["an Authorised Person"],
            "exception": ["other than a Branch"],
            "deadline": ["by 1 January 2016"],
            "amount": ["AED 9"],
        },
    ),
    (
        "Except as provided in paragraph (a)(1)(ii) of this section, a bank shall, if requested, notify the "
        "consumer within 10 business days of receiving a notice of error.",
        {
            "actor": ["a bank"],
            "condition": ["if requested"],
            "exception": ["Except as provided in paragraph (a)(1)(ii) of this section"],
            "deadline": ["within 10 business days of receiving a notice of error"],
        },
    ),
    (
        "Where a person operates a ship, an aircraft or a vehicle, it must keep a log.",
        {"actor": ["it"], "condition": ["Where a person operates a ship, an aircraft or a vehicle"]},
    ),
    (
        "A Captive Insurer must reply within two months of the date of the notice if it disagrees.",
        {
            "actor": ["A Captive Insurer"],
            "condition": ["if it disagrees"],
            "deadline": ["within two months of the date of the notice"],
        },
    ),
    (
        "The lessor shall immediately refund at least 8.5% of the price unless the lessee agrees.",
        {
            "actor": ["The lessor"],
            "exception": ["unless the lessee agrees"],
            "deadline": ["immediately"],
            "amount": ["8.5%"],
        },
    ),
    (
        "Pilots must rest six hours and stay 200 m from the pier.",
        {"actor": ["Pilots"], "amount": ["six hours", "200 m"]},
    ),
    (
        "No later than 30 days after the transfer, the provider must send a receipt.",
        {"actor": ["the provider"], "deadline": ["No later than 30 days after the transfer"]},
    ),
    (
        "A firm shall report no later than 31 May 2024.",
        {"actor": ["A firm"], "deadline": ["no later than 31 May 2024"]},
    ),
    (
        "A client shall, on request, be entitled to a refund.",
        {"actor": ["A client"]},
    ),
    (
        "A Reporting Entity must publish the report not later than the end of the month.",
        {"actor": ["A Reporting Entity"], "deadline": ["not later than the end of the month"]},
    ),
    (
        "The items required by paragraphs (b)(1)(v), (vi) and (viii) of this part generally must match.",
        {"actor": ["The items required by paragraphs (b)(1)(v), (vi) and (viii) of this part"]},
    ),
    (
        "The notice must state that a fee is due if the payment fails and must disclose the fee.",
        {"actor": ["The notice"], "condition": ["if the payment fails"]},
    ),
    (
        "An Insurer should consider, where relevant, in its plan: market risk.",
        {"actor": ["An Insurer"], "condition": ["where relevant"]},
    ),
    ("When investing you should, if in doubt, ask.", {"condition": ["if in doubt"]}),
    ("It is the duty of the master to keep a log.", {"actor": ["the master"]}),
    (
        "It is the duty of a person in respect of whom an order is made to obey it.",
        {"actor": ["a person in respect of whom an order is made"]},
    ),
    ("The duties of the master must include rounds.", {"actor": ["the master"]}),
    ("Under Rule 8.8.1, A must send the logs to B.", {"actor": ["A"]}),
    ("It is an offence for a pilot to sleep.", {"actor": ["a pilot"]}),
    ("No person may enter.", {"actor": ["No person"]}),
    (
        "A Person who carries on a Regulated Activity must notify the Regulator before moving.",
        {"actor": ["A Person who carries on a Regulated Activity"], "condition": ["before moving"]},
    ),
    (
        "The master must act as soon as practicable and, in any event, within 24 hours.",
        {"actor": ["The master"], "deadline": ["as soon as practicable", "within 24 hours"]},
    ),
    (
        "Fees (if any) must be paid in full.",
        {"actor": ["Fees (if any)"], "condition": ["if any"]},
    ),
    (
        "Without limiting Rule 3, the responsibilities of a firm's Board in respect of fire include drills.",
        {"actor": ["a firm's Board"]},
    ),
    ("The duties of the mate include ringing the bell.", {"actor": ["the mate"]}),
    ("Tides vary.", {}),
    ("“Fee” means a charge of $5.", {"amount": ["$5"]}),
]


@pytest.mark.parametrize(("sentence", "expected"), PARTS)
def test_parts_of_a_sentence(sentence: str, expected: dict[str, list[str]]) -> None:
    (only,) = statements(sentence)
    assert {
        name: [sentence[span.start : span.end] for span in spans] for name, spans in only.parts.items()
    } == expected


def test_the_marker_of_an_item_that_begins_with_its_verb_is_nobody() -> None:
    said = statements("A tug with a crew:\n(i)\tMust call.\n(ii)\tMust wait.")
    assert [(each.modality, dict(each.parts)) for each in said] == [("obligation", {}), ("obligation", {})]


def test_part_that_ends_in_the_item_is_two_spans() -> None:
    passage = "A firm must tell the Regulator if:\n(a)\tit moves; or\n(b)\tit grows."
    first = statements(passage)[0]
    assert [passage[span.start : span.end] for span in first.parts["condition"]] == ["if:", "(a)\tit moves"]
