from __future__ import annotations

import pytest

from rulerank.obligations import statements

WHOLE = [
    "An Authorised Person must comply with Rule 5.3.1 of the Rulebook by Friday.",
    "A person must comply with s. 12(b) and r. 4 before trading.",
    "Under Art. 6(1)(a) the controller must ask.",
    "A bank must give the notice required by 12 C.F.R. 1005.6(b) to each consumer.",
    "The bank must hold 4.5 per cent. of its assets, e.g. Treasury bills, as cash.",
    "Fees (see paras. 4 and 5) must be paid to Acme Ltd. and its agents.",
    "Mr. J. Smith must pay No. 5 and Nos. 6 to 8 to the U.S. Treasury.",
    "The notice in Sch. 2, Pt. IV and Fig. 3 must be shown.",
    "A person who (a) lends and (b) borrows must register under paragraphs (a), (b) and (c) of this section.",
    "The office closes at 5 p.m. on Fridays.",
    "Is a licence (No. 7) needed?",
    "A carrier must comply with Law No. (7) of 2019 and with Nos. (8) and (9) of it.",
    "The report is due on Sept. 30 of each year.",
    "A note by J. Smith and A. B. Carter must be kept.",
    "Appendix B. Moorings in the harbour.",
    "The form is at www.harbour.example.org and at Harbour.Net free of charge.",
    "A bank must file from Jan. 1, 2020 under Pub. L. 90-321, 82 Stat. 5 (Dec. 17, 1980).",
]

SPLIT = [
    ("The rule is Rule 5.3.1. The bank must pay.", ["The rule is Rule 5.3.1.", "The bank must pay."]),
    ("It applies in the U.S. The bank must pay.", ["It applies in the U.S.", "The bank must pay."]),
    ("The answer is no. Banks must pay.", ["The answer is no.", "Banks must pay."]),
    ("It covers fees, fines, etc. The bank pays.", ["It covers fees, fines, etc.", "The bank pays."]),
    ("It says “stop.” Pilots must stop.", ["It says “stop.”", "Pilots must stop."]),
    ("See Part 4 (Fees). Banks must pay.", ["See Part 4 (Fees).", "Banks must pay."]),
    ("Fees are due in Dec. The bank must pay.", ["Fees are due in Dec.", "The bank must pay."]),
    ("Who pays? The bank. When? Today!", ["Who pays?", "The bank.", "When?", "Today!"]),
    ("It serves Regulation B. Terms vary.", ["It serves Regulation B.", "Terms vary."]),
    ("It is in Appendix A. Owners must look.", ["It is in Appendix A.", "Owners must look."]),
    ("Retention of logs.A firm must keep them.", ["Retention of logs.", "A firm must keep them."]),
    ("Owners pay.Certain masters pay.", ["Owners pay.", "Certain masters pay."]),
    ("银行必须付款。客户可以投诉。", ["银行必须付款。", "客户可以投诉。"]),
]


@pytest.mark.parametrize("sentence", WHOLE)
def test_full_stop_of_a_citation_or_an_abbreviation_ends_nothing(sentence: str) -> None:
    assert [each.text for each in statements(sentence)] == [sentence]


@pytest.mark.parametrize(("passage", "expected"), SPLIT)
def test_sentence_ends_at_its_full_stop(passage: str, expected: list[str]) -> None:
    assert [each.text for each in statements(passage)] == expected
