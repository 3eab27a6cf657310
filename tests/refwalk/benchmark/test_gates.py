from __future__ import annotations

import pytest

from rulerank.refwalk.benchmark.gates import fault, overlap

LOG = "A pilot keeps a log of every berth that a tug leaves in the dark, and signs it before noon."
FEE = "The harbour levies a fee on cargo. A pilot pays none."


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What must be done about a pilot's log, and what holds for the fee on cargo?", None),
        ("What of it?", "6 to 80 words"),
        ("What must be done about the log of 4.2.1, and of a cargo fee?", "cites no number"),
        ("What must be done about a pilot's log and berth before noon?", "tells its rules apart"),
        ("What must be done about the log of berths and tugs?", "has a term of every rule"),
        (
            "Must a pilot who keeps a log of every berth that a tug leaves pay the cargo fee?",
            "copies fewer than 8 words in a row",
        ),
    ],
)
def test_question_stops_at_the_first_gate_that_it_does_not_pass(question: str, found: str | None) -> None:
    assert fault(question, [LOG, FEE]) == found


def test_overlap_is_the_share_of_terms_in_the_rules_the_templates_aside() -> None:
    assert overlap("What must be done about tug levy?", [LOG]) == 0.5
    assert overlap("What must be done about tug levy?", [LOG, FEE]) == 1.0
    assert overlap("What must be done about it?", [LOG]) == 0.0
