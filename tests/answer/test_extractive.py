from __future__ import annotations

from dataclasses import replace

import pytest

from rulerank.answer import ABSTENTION, Quote
from rulerank.answer.verify import verified
from tests.answer.rules import answered, changes


def test_duties_are_quoted_in_reading_order_and_nothing_else() -> None:
    answer = answered(
        ["Berths\nThe pilot must call twice. Tides vary. A tug should stand by. Crews may rest."]
    )
    assert answer.text == "- The pilot must call twice. [P1]\n- A tug should stand by. [P1]"


def test_permission_is_stated_where_the_question_asks_for_one() -> None:
    text = "The pilot must call twice. Crews may rest."
    assert len(answered([text]).claims) == 1
    assert [claim.modality for claim in answered([text], "May crews rest?").claims] == [
        "obligation",
        "permission",
    ]


def test_passage_without_a_modal_gives_its_most_relevant_sentence() -> None:
    answer = answered(["Tides vary. Ships anchor here."], "Where do ships anchor?")
    assert answer.text == "- Ships anchor here. [P1]"


def test_fact_that_is_nearest_to_the_question_is_stated_beside_a_power() -> None:
    fact, power = "The speed limit is 6 knots.", "The harbour master may by notice fix a lower limit."
    claims = answered([f"Tides vary. {fact} {power}"], "What is the speed limit?").claims
    assert [claim.text for claim in claims] == [fact, power]
    claims = answered([f"Tides vary. {power}"], "What limit is there?").claims
    assert [claim.text for claim in claims] == [power]


def test_facts_about_as_near_to_the_question_as_the_best_one_are_stated_together() -> None:
    first, second = "The pilot station is white.", "The pilot tower is red."
    text = f"{first} Tides vary. {second} Pilot boats are blue."
    question = "What colour are the pilot station and the pilot tower?"
    claims = answered([text], question).claims
    assert [claim.text for claim in claims] == [first, second]
    # No fact is near to a question of which it holds no word.
    assert [claim.text for claim in answered([text], "Masks?").claims] == [first]


@pytest.mark.parametrize(
    ("passage", "stated"),
    [
        ("Anchorage\nTides vary.", ["Tides vary."]),
        ("Where Ships Anchor", []),
        ("ANCHORAGE (OUTER ROADS)\nDues for Anchoring", []),
        ("Ships anchor here.", ["Ships anchor here."]),
        ("Anchoring dues: 20 points", ["Anchoring dues: 20 points"]),
        ("anchors of more than a tonne", ["anchors of more than a tonne"]),
        ("Anchorage is free", ["Anchorage is free"]),
        ("Berth 3A anchors", ["Berth 3A anchors"]),
        ("Category 3A ships", []),
        ("Class 9 - Other", []),
        ("Anchoring under rules 4.1(a), 4.2 and 5", []),
        ("Notes on anchoring (May 2020)", []),
        ("Part 3 – Anchoring.\nAnchors of categories 1, 2 and 3B", []),
        ("Anchors that are not chains", []),
        ("Days on which the mate may decline to anchor", []),
        ("Who can anchor here?", []),
        ("The anchoring fee is 5 points", ["The anchoring fee is 5 points"]),
        ("Anchors of class 9: 20 points", ["Anchors of class 9: 20 points"]),
        ("Anchors of class 9, 20", ["Anchors of class 9, 20"]),
        ("Anchors that are chains are free", ["Anchors that are chains are free"]),
        ("Anchorage only under rule 5", ["Anchorage only under rule 5"]),
        ("Anchor dues = dues of rule 5", ["Anchor dues = dues of rule 5"]),
        ("Rule 5 governs anchors", ["Rule 5 governs anchors"]),
        ("Harbour office: Level 4, Anchor House", ["Harbour office: Level 4, Anchor House"]),
        ("Anchorage. Tides vary.", ["Tides vary."]),
        ("Where anchors are dropped. Masks must be worn.", ["Masks must be worn."]),
        ("Limits on anchoring. (1) Masks must be worn.", ["Masks must be worn."]),
        ("Anchor dues rise. They are paid at noon.", ["Anchor dues rise."]),
        ("The anchor drops. Tides vary.", ["The anchor drops."]),
        ("Anchoring prohibited. Tides vary.", ["Anchoring prohibited."]),
        ("Part 3 governs. Anchors drop.", ["Anchors drop."]),
        ("Notice 8 on anchors gives the depth. Tides vary.", ["Notice 8 on anchors gives the depth."]),
        (
            "Dues for anchors of ships close at noon of each day. Tides vary.",
            ["Dues for anchors of ships close at noon of each day."],
        ),
        (
            "Where an anchor drops the mate must ring. Tides vary.",
            ["Where an anchor drops the mate must ring."],
        ),
    ],
)
def test_title_is_no_answer(passage: str, stated: list[str]) -> None:
    assert [claim.text for claim in answered([passage], "Where do ships anchor?").claims] == stated


def test_repeated_duty_is_one_claim_with_every_passage() -> None:
    answer = answered(["Masks must be worn.", "Gloves shall fit.", "Masks must  be worn."])
    assert answer.text == "- Masks must be worn. [P1][P3]\n- Gloves shall fit. [P2]"


@pytest.mark.parametrize("texts", [[], [""], ["\n"]])
def test_nothing_to_state_is_an_abstention_with_its_reason(texts: list[str]) -> None:
    answer = answered(texts)
    assert answer.claims == ()
    assert answer.text.splitlines() == [ABSTENTION, "No passage that was found states anything."]


def test_quotes_are_places_in_the_passage() -> None:
    text = "Tides vary. The pilot must call twice."
    (claim,) = answered([text]).claims
    assert claim.quotes == (Quote("p1", 12, len(text)),)


def test_changed_rule_is_one_claim_with_its_change_wherever_it_is_ranked() -> None:
    texts = [
        "In rule 2, “six hours” is replaced by “twelve hours”.",
        "Pilots must rest six hours. Tides vary.",
    ]
    answer = answered(texts, voiding=changes((1, 2)))
    assert answer.text == ("- Pilots must rest six hours [read as “twelve hours”]. [P1][P2]")
    (claim,) = answer.claims
    assert claim.changed_by == ("p1",)
    assert {quote.passage_id for quote in claim.quotes} == {"p1", "p2"}


def test_change_of_a_change_counts() -> None:
    texts = [
        "Pilots must rest six hours.",
        "In rule 1, “six hours” is replaced by “ten hours”.",
        "In rule 1, as amended by rule 2, “ten hours” is replaced by “twelve hours”.",
    ]
    (claim,) = answered(texts, voiding=changes((2, 1), (3, 2))).claims
    assert claim.text == "Pilots must rest six hours [read as “twelve hours”]."
    assert claim.passages == ("p3", "p2", "p1")


def test_later_change_of_the_same_words_counts() -> None:
    texts = [
        "Pilots must rest six hours.",
        "In rule 1, “six hours” is replaced by “ten hours”.",
        "In rule 1, “six hours” is replaced by “twelve hours”.",
    ]
    answer = answered(texts, voiding=changes((2, 1), (3, 1)))
    assert answer.text == "- Pilots must rest six hours [read as “twelve hours”]. [P3][P2][P1]"
    rule, *changing = answer.sources
    assert verified(replace(answer, sources=(replace(rule, voided_by=("p2", "p3")), *changing))).dropped == ()


def test_exception_to_a_change_is_stated_with_it() -> None:
    texts = [
        "Pilots must rest six hours.",
        "From 1 May 2020, Rule 1 has effect as if “six hours” read “ten hours”.",
        "Rule 2 has no effect where ice closes the port.",
    ]
    (claim,) = answered(texts, voiding=changes((2, 1)), citing={"p2": ["p3"]}).claims
    assert claim.text == (
        "Pilots must rest six hours [read as “ten hours” from 1 May 2020]. "
        "[Rule 2 has no effect where ice closes the port.]"
    )
    assert claim.changed_by == ("p2", "p3")


def test_duties_that_a_change_does_not_touch_stay() -> None:
    texts = [
        "A visitor must shower. A visitor must not run. The fee is 5 dollars. Tides vary.",
        "In rule 1, for “5 dollars” there is substituted “8 dollars”.",
    ]
    answer = answered(texts, voiding=changes((2, 1)))
    assert answer.text.splitlines() == [
        "- The fee is 5 dollars [read as “8 dollars”]. [P2][P1]",
        "- A visitor must shower. [P2][P1]",
        "- A visitor must not run. [P2][P1]",
    ]
    assert all(claim.changed_by == ("p2",) for claim in answer.claims)
    rule, change = answer.sources
    assert verified(replace(answer, sources=(replace(rule, voided_by=("p2",)), change))).dropped == ()


@pytest.mark.parametrize(
    "change",
    [
        "The second sentence of rule 1 is repealed.",
        "Rule 1 is amended by inserting after “filters” the words “and the pumps”.",
        "Rule 1 is repealed in so far as it applies to private pools.",
        "If the Minister so orders, rule 1 is repealed.",
    ],
)
def test_rule_that_is_changed_in_part_is_stated_with_the_change(change: str) -> None:
    rule = "The operator must clean the filters. The operator must list them."
    answer = answered([rule, change], voiding=changes((2, 1)))
    assert answer.text == f"- {rule} [{change}] [P2][P1]"
    first, second = answer.sources
    assert verified(replace(answer, sources=(replace(first, voided_by=("p2",)), second))).dropped == ()


def test_change_of_the_verb_changes_what_the_rule_states() -> None:
    texts = [
        "The operator may admit dogs on Sundays.",
        "In rule 1, for “may” there is substituted “must not”.",
    ]
    answer = answered(texts, voiding=changes((2, 1)))
    assert answer.text == "- The operator may [read as “must not”] admit dogs on Sundays. [P2][P1]"
    assert answer.claims[0].modality == "prohibition"
    rule, change = answer.sources
    assert verified(replace(answer, sources=(replace(rule, voided_by=("p2",)), change))).dropped == ()


def test_repealed_duty_is_left_out_and_its_repeal_stated() -> None:
    answer = answered(["Pilots must rest.", "Rule 1 is hereby repealed."], voiding=changes((2, 1)))
    assert answer.text == "- Rule 1 is hereby repealed. [P2][P1]"


def test_repeal_is_borne_out_by_what_repeals_whatever_the_rule_said() -> None:
    answer = answered(
        ["Crews rest at noon.", "Paragraph 1 is revoked from 2 May 2020."], voiding=changes((2, 1))
    )
    rule, repeal = answer.sources
    kept = verified(replace(answer, sources=(replace(rule, voided_by=("p2",)), repeal)))
    assert kept.text == "- Paragraph 1 is revoked from 2 May 2020. [P2][P1]"
    assert verified(answer).dropped[0].because == "support: 'p1' is cited and does not bear the claim out"


def test_newer_version_speaks_for_the_rule_that_it_replaces() -> None:
    answer = answered(["Pilots must rest.", "Pilots must sleep."], voiding=changes((2, 1)))
    assert answer.text == "- Pilots must sleep. [P2][P1]"


def test_a_fact_that_answers_better_than_the_duty_beside_it_is_stated_with_it() -> None:
    text = "A fisher must hold a card. A card is valid for two years. Cards are blue."
    answer = answered([text], "For how long is a card valid?")
    assert [claim.text for claim in answer.claims] == [
        "A fisher must hold a card.",
        "A card is valid for two years.",
    ]
