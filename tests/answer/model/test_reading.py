from __future__ import annotations

import json
import time
from datetime import date

import pytest

from rulerank.answer.model import model_answer
from rulerank.answer.model.reading import read_list, read_per_rule
from rulerank.answer.verify import verified
from tests.answer.numbered import numbered

RESTS = "A pilot must rest for six hours after each watch."


@pytest.mark.parametrize(
    ("reply", "claims"),
    [
        (
            "- A pilot must rest for six hours\n  after each watch. [P1]\n- A tug may anchor. [P3]",
            [RESTS, "A tug may anchor."],
        ),
        (f"1. {RESTS}\n   [P1]", [RESTS]),
        ("- A pilot must:\n  - rest for six hours. [P1]", ["A pilot must rest for six hours."]),
        (f"As follows:\n  {RESTS} [P1]", [RESTS]),
        (f"- {RESTS} [P1]\nAnchor there. [P3]", [RESTS, "Anchor there."]),
        (f"Say:\n- A pilot need not rest. [P1]\n</think>\n- {RESTS} [P1]", [RESTS]),
    ],
)
def test_a_list_item_with_the_lines_that_go_on_with_it_is_a_claim(sources, reply: str, claims) -> None:
    assert [claim.text for claim in read_list(reply, sources).claims] == claims


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (RESTS, "obligation"),
        ("None of the pilots may rest.", "prohibition"),
        ("A pilot may rest only on Sundays.", "prohibition"),
        ("No pilot may rest.", "prohibition"),
        ("A pilot shall be entitled to rest.", "permission"),
        ("“Watch” means six hours.", "definition"),
        ("The harbour is deep.", None),
    ],
)
def test_a_claim_has_the_label_that_the_extractive_answerer_would_give_it(sources, text, kind) -> None:
    assert read_list(f"- {text} [P1]", sources).claims[0].modality == kind


@pytest.mark.parametrize(
    ("marks", "numbers"),
    [
        ("[P1-P3]", ["P1", "P2", "P3"]),
        ("[P1–3]", ["P1", "P2", "P3"]),
        ("[P1, P3]", ["P1", "P3"]),
        ("[P2][P3]", ["P2", "P3"]),
    ],
)
def test_a_claim_cites_the_passages_of_a_range(sources, marks: str, numbers: list[str]) -> None:
    known = {f"P{place}": each.passage_id for place, each in enumerate(sources, start=1)}
    (claim,) = read_list(f"- {RESTS} {marks}", sources).claims
    assert list(claim.passages) == [known[number] for number in numbers]


def test_a_range_beyond_the_sources_is_kept_for_verification_to_refuse(sources) -> None:
    (claim,) = read_list(f"- {RESTS} [P1-P999999999]", sources).claims
    assert len(claim.passages) == len(sources) + 1


def test_time_is_linear_in_the_lines_that_go_on(sources) -> None:
    start = time.process_time()
    read_list("- x\n" + " x\n" * 60_000, sources)
    assert time.process_time() - start < 3


HELD = "No person may hold containers under power unless that person holds a permit."


@pytest.mark.parametrize(
    "answering",
    ["No, ", "Yes, ", "**No,** ", "**Yes**: ", "No. ", "no; ", "No – ", "No - ", "No—", "- **No.** ", ""],
)
def test_a_yes_or_no_before_a_claim_is_neither_verified_nor_shown(chat, answering: str) -> None:
    chat.says = lambda request: f"{answering}no person{HELD[len('No person') :]} [P1]"
    question = "May a person hold containers under power without a permit?"
    answer = verified(model_answer(question, (numbered(1, HELD),), date(2026, 1, 1), model=chat.model))
    assert [claim.text.casefold() for claim in answer.claims] == [HELD.casefold()]
    assert answer.claims[0].text[0] == ("N" if answering else "n")


def test_a_yes_or_no_is_left_out_of_an_answer_by_rule_too(sources) -> None:
    reply = json.dumps({"act:1": [f"Yes, {RESTS[0].lower()}{RESTS[1:]}"], "act:2": ["No."]})
    assert [claim.text for claim in read_per_rule(reply, sources).claims] == [RESTS]


@pytest.mark.parametrize(
    "said", ["No. 5 buoy must be lit.", "No-one may rest.", "No pilot may rest.", "Yesterday’s watch counts."]
)
def test_words_that_only_begin_like_a_yes_or_no_stay(sources, said: str) -> None:
    assert [claim.text for claim in read_list(f"- {said} [P1]", sources).claims] == [said]
