"""Lines that lead in others: no item is stated without what rules on it."""

from __future__ import annotations

import json
import time
from datetime import date

import pytest

from rulerank.answer.claims import Answer
from rulerank.answer.model import model_answer
from rulerank.answer.model.reading import read_list
from rulerank.answer.verify import verified
from rulerank.settings import AnswerStyle, ModelAnswers
from tests.answer.numbered import numbered

BANNED = "Fishing from the outer quay and swimming in the basin are prohibited."
DUES = "Only pilot vessels and tugs on duty pay dues."
NEVER = "No vessel shall anchor in the fairway or discharge ballast."
CHANGE = "An operator must notify the Authority in writing within ten business days of the change."
PILOT = "The master must call the pilot and hoist the flag."
TUG = "A tug may anchor in the roads and ring the bell."
CALLS, HOISTS = "The master must call the pilot", "The master must hoist the flag"
ACTS = "- Fishing from the outer quay [P1]\n- Swimming in the basin [P1]"


def _answer(chat, reply: str, text: str, style: AnswerStyle = "list") -> Answer:
    chat.says = lambda request: reply
    settings = ModelAnswers(style=style)
    day = date(2026, 1, 1)
    return verified(model_answer("What?", (numbered(1, text),), day, model=chat.model, settings=settings))


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (f"**Permitted:**\n{ACTS}", BANNED),
        (f"**Permitted**\n{ACTS}", BANNED),
        (f"## Permitted\n\n{ACTS}", BANNED),
        (f"## Permitted\nThe following acts:\n{ACTS}", BANNED),
        (f"The following are allowed:\n{ACTS}", BANNED),
        (f"You are advised of this. You may do these:\n{ACTS}", BANNED),
        ("- Permitted acts\n  - Fishing from the outer quay [P1]", BANNED),
        ("- The following vessels pay no dues:\n  - pilot vessels [P1]\n  - tugs on duty [P1]", DUES),
        ("You may:\n- Anchor in the fairway [P1]\n- Discharge ballast [P1]", NEVER),
        ("- You may:\n- Discharge ballast [P1]", NEVER),
        ("1. You may:\n   a) discharge ballast [P1]", NEVER),
        ("You may: [P1]\nDischarge ballast [P1]", NEVER),
        ("You need not:\n- hoist the flag [P1]", PILOT),
    ],
)
def test_a_lead_in_cannot_turn_its_items_round(chat, reply: str, text: str) -> None:
    answer = _answer(chat, reply, text)
    assert answer.claims == ()
    assert answer.dropped


@pytest.mark.parametrize(
    ("reply", "text", "claims"),
    [
        (
            f"**Prohibited:**\n{ACTS}",
            BANNED,
            [
                "What you must not do: fishing from the outer quay",
                "What you must not do: swimming in the basin",
            ],
        ),
        (
            "No vessel shall:\n- Anchor in the fairway [P1]\n- Discharge ballast [P1]",
            NEVER,
            ["No vessel shall anchor in the fairway", "No vessel shall discharge ballast"],
        ),
        (f"- An operator must:\n  - {CHANGE[len('An operator must ') :]} [P1]", CHANGE, [CHANGE]),
        ("The master must:\n- call the pilot [P1]\n- hoist the flag [P1]", PILOT, [CALLS, HOISTS]),
        ("**The master must:**\n\n1. Call the pilot [P1]\n2. Hoist the flag [P1]", PILOT, [CALLS, HOISTS]),
        ("- The master must [P1]:\n  - call the pilot;\n  - hoist the flag", PILOT, [CALLS, HOISTS]),
        ("The master must:\n(a) call the pilot; and\n(b) hoist the flag. [P1]", PILOT, [CALLS, f"{HOISTS}."]),
        ("The master must:\n- call the pilot\n- hoist the flag [P1]", PILOT, [HOISTS]),
        (
            "The master must do the following:\n- call the pilot [P1]",
            PILOT,
            ["The master must do the following: call the pilot"],
        ),
        ("A tug may:\n- ring the bell [P1]", TUG, ["A tug may ring the bell"]),
        (
            "- **Forbidden:**\n  - Swimming in the basin [P1]\n- **Allowed:**\n  - Fishing [P1]",
            BANNED,
            ["What you must not do: swimming in the basin"],
        ),
    ],
)
def test_a_faithful_list_is_stated_with_its_lead_in(chat, reply: str, text: str, claims: list[str]) -> None:
    assert [claim.text for claim in _answer(chat, reply, text).claims] == claims


@pytest.mark.parametrize(
    "lead_in",
    [
        "Here are the obligations:",
        "The rules say the following:",
        "Obligations:",
        "## Obligations",
        "Here is what the master must do:",
        "The master must:",
        "The following may apply to you, and no exemption is known:",
        "**Pilots:** [P1]",
    ],
)
def test_sentences_of_their_own_are_only_announced(chat, lead_in: str) -> None:
    reply = f"{lead_in}\n- {CALLS} [P1]\n- {HOISTS} [P1]"
    assert [claim.text for claim in _answer(chat, reply, PILOT).claims] == [CALLS, HOISTS]


def test_marks_of_a_heading_count_for_items_without_marks(chat) -> None:
    answer = _answer(chat, f"## Notification [P1]\n- {CALLS}.\n- {HOISTS}.", PILOT)
    assert [(claim.text, claim.passages) for claim in answer.claims] == [
        (f"{CALLS}.", ("act:1",)),
        (f"{HOISTS}.", ("act:1",)),
    ]


def test_a_rule_that_ends_in_a_colon_and_leads_to_nothing_is_a_claim(chat) -> None:
    assert [claim.text for claim in _answer(chat, f"{CALLS}: [P1]", PILOT).claims] == [CALLS]


def test_a_lead_in_ends_with_its_list(chat) -> None:
    reply = "You need not:\n- rest [P1]\n\nThe pilot\n- call the pilot [P1]\n- hoist the flag [P1]"
    assert [claim.text for claim in read_list(reply, (numbered(1, PILOT),)).claims] == [
        "You need not rest",
        "call the pilot",
        "hoist the flag",
    ]


def test_what_an_item_names_keeps_its_capitals(sources) -> None:
    reply = "The master must notify:\n- Port Control [P1]\n- Owners of tugs [P1]"
    assert [claim.text for claim in read_list(reply, sources).claims] == [
        "The master must notify: Port Control",
        "The master must notify: owners of tugs",
    ]


@pytest.mark.parametrize(
    ("claims", "stated"),
    [
        (["The master must:", "call the pilot", "hoist the flag"], [CALLS, HOISTS]),
        (["You need not:", "call the pilot", "hoist the flag"], []),
    ],
)
def test_a_lead_in_among_the_claims_of_a_rule_counts_too(chat, claims: list[str], stated: list[str]) -> None:
    answer = _answer(chat, json.dumps({"act:1": claims}), PILOT, "per-rule")
    assert [claim.text for claim in answer.claims] == stated


@pytest.mark.parametrize(
    "long",
    [
        "no:\n" * 45_000,
        "- " + "must " * 20_000 + ":\n" + "- y [P1]\n" * 10_000,
        "\n".join(f"{' ' * depth}- no:" for depth in range(600)),
        "must:\n- " + "no " * 60_000 + "[P1]",
    ],
)
def test_time_is_linear_in_lead_ins_and_their_items(sources, long: str) -> None:
    start = time.process_time()
    read_list(long, sources)
    assert time.process_time() - start < 5
