"""Replies that are not what was asked for: none causes a crash or an unsupported citation."""

from __future__ import annotations

import json
import unicodedata
from datetime import date

import pytest

from rulerank.answer.model import model_answer
from rulerank.answer.verify import verified
from rulerank.settings import ModelAnswers

RESTS = "A pilot must rest for six hours after each watch."
GOOD = f"- {RESTS} [P1]"
OBJECT = {"act:1": [RESTS]}

LISTS = {
    "nothing": "",
    "white space": " \n\t\u3000",
    "talk": "Sure! I would be glad to help you with that question.",
    "no marks": f"- {RESTS}",
    "a mark alone": "[P1]",
    "a bullet alone": "- ",
    "a mark of no source": f"- {RESTS} [P4]",
    "a mark below one": f"- {RESTS} [P0]",
    "a huge mark": f"- {RESTS} [P99999999999999999999]",
    "a mark of 5,000 digits": f"- {RESTS} [P{'1' * 5_000}]",
    "100,000 spaces": f"- {RESTS}{' ' * 100_000}x",
    "a mark that never closes": f"- {RESTS} [P1{' ' * 100_000}",
    "a negative mark": f"- {RESTS} [P-1]",
    "another form of mark": f"- {RESTS} (source 1)",
    "a passage id": f"- {RESTS} [act:1]",
    "a good and a bad mark": f"- {RESTS} [P1][P7]",
    "a wrong mark": f"- {RESTS} [P2]",
    "all marks": f"- {RESTS} [P1][P2][P3]",
    "another figure": "- A pilot must rest for seven hours after each watch. [P1]",
    "another unit": "- A pilot must rest for six days after each watch. [P1]",
    "a weaker verb": "- A pilot should rest for six hours after each watch. [P1]",
    "no verb of duty": "- A pilot rests for six hours after each watch. [P1]",
    "a negation": "- A pilot must not rest for six hours after each watch. [P1]",
    "an added date": "- A pilot must rest for six hours after each watch from 1 May 2020. [P1]",
    "an added term": "- A pilot must rest for six hours after each watch (“Quiet Time”). [P1]",
    "an added sentence": f"- {RESTS} The fine is payable at once. [P1]",
    "nothing of the source": "- Captains pay annual dues to the treasury. [P1]",
    "open thoughts": f"<think>I believe that {RESTS} [P2]",
    "json": json.dumps({"P2": [RESTS]}),
    "a fence": "```\n```",
    "a table": f"| rule | source |\n|---|---|\n| {RESTS} | P1 |",
    "control characters": f"- {RESTS}\x1b[31m\x00\u202e [P2]",
    "one line of 200,000 signs": "- " + "must " * 40_000 + "[P1]",
    "10,000 lines": f"- {RESTS} [P2]\n" * 10_000,
    "10,000 brackets": "[" * 10_000 + "P1" + "]" * 10_000,
    "10,000 marks": "- rest " + "[P1]" * 10_000 + "[P9]",
    "cut in a mark": f"- {RESTS} [P",
}
OBJECTS = {
    "nothing": "",
    "talk": "Here you are:",
    "an array": json.dumps([RESTS]),
    "a string": json.dumps(RESTS),
    "a number": "7",
    "null": "null",
    "NaN": '{"act:1": NaN}',
    "an empty object": "{}",
    "empty lists": json.dumps({"act:1": [], "act:2": []}),
    "cut off": json.dumps(OBJECT)[:-4],
    "single quotes": str(OBJECT),
    "a trailing comma": '{"act:2": ["' + RESTS + '"],}',
    "two objects": json.dumps({"act:2": [RESTS]}) * 2,
    "a string for a list": json.dumps({"act:1": RESTS}),
    "an object for a list": json.dumps({"act:1": {"claim": RESTS}}),
    "numbers in the list": json.dumps({"act:1": [1, 2.5, None, True]}),
    "lists in the list": json.dumps({"act:1": [[RESTS]]}),
    "blank claims": json.dumps({"act:1": ["", " ", "\n"]}),
    "a key of no source": json.dumps({"act:7": [RESTS]}),
    "a mark for a key": json.dumps({"P1": [RESTS]}),
    "an empty key": json.dumps({"": [RESTS]}),
    "a key in capitals": json.dumps({"ACT:1": [RESTS]}),
    "a nested answer": json.dumps({"answer": OBJECT}),
    "the wrong source": json.dumps({"act:2": [RESTS], "act:3": [RESTS]}),
    "marks in the claim": json.dumps({"act:2": [f"{RESTS} [P1]"]}),
    "control characters": json.dumps({"act:2": [f"{RESTS}\x1b[31m\x00\u202e"], "act:\x1b9": [RESTS]}),
    "half a surrogate pair": '{"act:2": ["\\ud800"], "\\udfff": []}',
    "100,000 brackets": '{"act:1": ' + "[" * 100_000,
    "a huge number": '{"act:1": ' + "9" * 5_000 + "}",
    "a long key": json.dumps({"P" * 100_000: [RESTS]}),
    "10,000 keys": json.dumps({f"act:{number}": [RESTS] for number in range(2, 10_000)}),
    "open thoughts": f"<think>{json.dumps(OBJECT)}",
}


@pytest.mark.parametrize(
    ("style", "kind"),
    [*(("list", kind) for kind in LISTS), *(("per-rule", kind) for kind in OBJECTS)],
)
def test_a_malformed_reply_gives_no_claim_and_a_reason(chat, sources, style: str, kind: str) -> None:
    reply = (LISTS if style == "list" else OBJECTS)[kind]
    chat.says = lambda request: reply
    settings = ModelAnswers(style=style)
    answer = verified(
        model_answer("How long?", sources, date(2026, 1, 1), model=chat.model, settings=settings)
    )
    assert answer.claims == ()
    assert answer.abstained_because
    assert 1 <= len(chat.asked) <= 2
    said = answer.text + "".join(each.claim.text + each.because for each in answer.dropped)
    assert not [sign for sign in said if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs")]


@pytest.mark.parametrize(
    ("style", "reply"),
    [
        ("list", f"<think>P2? No.</think>\n\n{GOOD}"),
        ("list", f"```\n{GOOD}\n```\nI hope that this helps!"),
        ("list", f"1) {RESTS} [p1]"),
        ("list", f"* **{RESTS}** [P1, P1]"),
        ("list", f"According to [P1], {RESTS[0].lower()}{RESTS[1:]}"),
        ("list", f"{GOOD}\n{GOOD}\n- Sink. [P9]"),
        ("list", GOOD.replace("six", "6")),
        ("list", f"{GOOD}\r\n"),
        ("per-rule", f"Here you are:\n```json\n{json.dumps(OBJECT)}\n```"),
        ("per-rule", f"<think>{{}}</think>{json.dumps(OBJECT)}"),
        ("per-rule", '{"act:1": [], "act:1": ["' + RESTS + '"]}'),
        ("per-rule", json.dumps({**OBJECT, "act:9": [RESTS[:-1]], "act:2": "x"})),
        ("per-rule", json.dumps({"act:1": [RESTS, RESTS.lower(), f"**{RESTS}**"]})),
    ],
)
def test_a_good_claim_survives_what_is_wrong_around_it(chat, sources, style: str, reply: str) -> None:
    chat.says = lambda request: reply
    settings = ModelAnswers(style=style)
    answer = verified(
        model_answer("How long?", sources, date(2026, 1, 1), model=chat.model, settings=settings)
    )
    assert [claim.passages for claim in answer.claims] == [("act:1",)]
