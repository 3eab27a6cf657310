from __future__ import annotations

import time
from dataclasses import replace

import pytest

from rulerank.answer import ABSTENTION, Claim, Quote
from rulerank.answer.conflicts import contradictions
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


def test_item_is_stated_with_the_lead_in_that_is_another_passage() -> None:
    answer = answered(["(a) ring the bell;", "The mate must:"], "Who must ring?", parents={"p1": "p2"})
    (claim,) = answer.claims
    assert (claim.text, claim.modality) == ("The mate must: ring the bell", "obligation")
    assert claim.passages == ("p1", "p2")


def test_item_may_begin_with_a_capital_letter() -> None:
    item = "Place. The anchorage of the ship. It is given in degrees."
    claims = answered([item, "The report must state:"], "Which anchorage?", parents={"p1": "p2"}).claims
    assert [(claim.text, claim.modality) for claim in claims] == [
        ("The report must state: The anchorage of the ship.", "obligation")
    ]


def test_sentence_that_asks_something_needs_no_lead_in() -> None:
    item = "The mate must ring the bell."
    (claim,) = answered([item, "These rules apply:"], "Who must ring?", parents={"p1": "p2"}).claims
    assert claim.text == item


@pytest.mark.parametrize(
    ("lead_in", "item", "modality"),
    [
        ("The mate must ensure that:", "the crew gives all help that the pilot may need.", "obligation"),
        ("The mate must not:", "(a) call a tug that the pilot may need;", "prohibition"),
        ("The mate may:", "(a) require the crew to rest;", "permission"),
        ("For each call:", "(b) the mate may ring the bell.", "permission"),
        ("The following apply:", "(b) the mate must ring the bell.", "obligation"),
    ],
)
def test_item_states_what_it_states_under_its_lead_in(lead_in: str, item: str, modality: str) -> None:
    (claim,) = answered([item, lead_in], "What is said of bells?", parents={"p1": "p2"}).claims
    assert claim.text.startswith(lead_in)
    assert claim.modality == modality


def test_item_of_an_item_is_stated_with_the_whole_chain() -> None:
    texts = ["(i) the cook; and", "(a) tell:", "The mate must:"]
    (claim,) = answered(texts, "Who is told?", parents={"p1": "p2", "p2": "p3"}).claims
    assert (claim.text, claim.modality) == ("The mate must: tell: the cook", "obligation")
    assert claim.passages == ("p1", "p2", "p3")
    assert [quote.passage_id for quote in claim.quotes] == ["p3", "p2", "p1"]


def test_chain_ends_at_a_lead_in_that_is_a_sentence_of_its_own() -> None:
    texts = ["(i) the ship is aground;", "(a) ring the bell. A mate need not ring if:", "The mate must:"]
    claims = answered(texts, "Who must ring?", parents={"p1": "p2", "p2": "p3"}).claims
    assert [(claim.text, claim.passages) for claim in claims] == [
        ("A mate need not ring if: the ship is aground", ("p1", "p2")),
        ("The mate must: ring the bell.", ("p2", "p3")),
    ]


def test_items_that_are_right_only_together_are_one_claim_wherever_one_of_them_is_ranked() -> None:
    texts = ["she\nis aground; and", "A ship need not call if:", "she has no radio. Tides vary."]
    below = {"lists": {"p2": ["p1", "p3"]}, "parents": {"p1": "p2", "p3": "p2"}}
    answer = answered(texts, "Must a ship call?", **below)
    text = "A ship need not call if: she is aground; and she has no radio. Tides vary."
    assert answer.text == f"- {text} [P2][P1][P3]"
    (claim,) = answer.claims
    assert claim.modality == "permission"
    assert [texts[int(each.passage_id[1]) - 1][each.start : each.end] for each in claim.quotes] == [
        texts[1],
        texts[0],
        texts[2],
    ]
    assert verified(answer).dropped == ()


def test_list_that_is_an_item_has_its_own_lead_in() -> None:
    texts = ["tell the crew, unless:", "they rest; or", "they eat.", "The mate must:"]
    below = {"lists": {"p1": ["p2", "p3"]}, "parents": {"p1": "p4", "p2": "p1", "p3": "p1"}}
    (claim,) = answered(texts, "Who is told?", **below).claims
    assert claim.text == "The mate must: tell the crew, unless: they rest; or they eat."
    assert (claim.modality, claim.passages) == ("obligation", ("p1", "p2", "p3", "p4"))


@pytest.mark.parametrize("piece", ["1,000", "1,", "two hundred ", "nine-", "1.000,"])
def test_time_to_find_a_conflict_is_linear_in_figures(piece: str) -> None:
    start = time.process_time()
    claim = Claim(piece * 4_000, None, ("a",))
    assert contradictions([claim]) == (claim,)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("500 dollars", "700 dollars"),
        ("1 May 2020", "1 June 2020"),
        ("80 degrees", "90 degrees"),
        ("3 metres", "4 metres"),
    ],
)
def test_amounts_days_and_measures_conflict_too(one: str, other: str) -> None:
    texts = [f"The owner of a licensed berth must note {figure} in the log." for figure in (one, other)]
    assert answered(texts).text == f"- In conflict: “{texts[0]}” “{texts[1]}” [P1][P2]"


def test_the_same_figure_in_other_words_is_no_conflict() -> None:
    texts = [
        f"The owner must renew the berth's insurance within {figure} months." for figure in ("12", "twelve")
    ]
    assert answered(texts).text == f"- {texts[0]} [P1]\n- {texts[1]} [P2]"


def test_rules_that_differ_in_a_figure_alone_are_stated_as_a_conflict() -> None:
    texts = [f"A master must report every fire within {hours} hours." for hours in ("six", "12")]
    (claim,) = answered(texts).claims
    assert claim.text == f"In conflict: “{texts[0]}” “{texts[1]}”"
    assert claim.passages == ("p1", "p2")


def test_what_a_rule_applies_to_is_stated_with_its_duties() -> None:
    text = "Rule 2 does not apply to tugs. The owner must prove the size. It was made in 2010."
    answer = answered([text], "Do tugs need a pilot?")
    assert [(claim.text, claim.modality) for claim in answer.claims] == [
        ("Rule 2 does not apply to tugs.", None),
        ("The owner must prove the size.", "obligation"),
    ]


@pytest.mark.parametrize(
    ("duty", "rider"),
    [
        ("The owner must prove the size.", "This is subject to paragraph 4 of Notice 7."),
        ("The owner must prove the size.", "These requirements are subject to Rule 9."),
        ("The owner must prove the size.", "It is read together with paragraph 4 of Notice 7."),
        ("The owner must prove the size.", "Paragraph 4 of Notice 7 modifies this provision."),
        ("The owner must prove the size.", "This rule ceases to have effect on 31 December 2022."),
        ("The owner must prove the size.", "This rule expires on 31 December 2022."),
        ("The owner must prove the size.", "This rule comes into force on 1 January 2030."),
        ("The owner must prove the size.", "This rule is suspended until 1 January 2030."),
        ("The owner must prove the size.", "However, that does not hold of a tug."),
        ("The owner must prove the size.", "In this rule an owner does not include a bank."),
        ("The owner must prove the size.", "Provided that nothing in this rule shall apply to a tug."),
        ("선주는 크기를 증명하여야 한다.", "이에 관하여는 고시 제4조에 따른다."),
    ],
)
def test_what_a_rule_is_subject_to_is_stated_with_its_duties(duty: str, rider: str) -> None:
    answer = answered([f"{duty} {rider}"], "Must the owner prove the size?")
    assert [(claim.text, claim.modality) for claim in answer.claims] == [(duty, "obligation"), (rider, None)]


@pytest.mark.parametrize(
    "exception",
    [
        "However, a tug may tow a vessel in distress at any time.",
        "Provided that a tug of less than ten tonnes need not call.",
        "A master need not report a spill of less than one litre.",
        "A tug is not required to call twice.",
        "The harbour master may exempt a tug from paragraph (1).",
        "The harbour master may in writing waive this requirement.",
        "This requirement may be waived by the harbour master.",
    ],
)
def test_exception_in_the_words_of_a_permission_is_stated_with_the_duty(exception: str) -> None:
    duty = "A tug must not tow at night."
    answer = answered([f"{duty} {exception} Crews may rest."])
    assert [(claim.text, claim.modality) for claim in answer.claims] == [
        (duty, "prohibition"),
        (exception, "permission"),
    ]


@pytest.mark.parametrize("aside", ["Tugs are subject to dues.", "However, tugs have not paid dues."])
def test_what_is_said_of_persons_is_no_scope(aside: str) -> None:
    answer = answered([f"The owner must call. {aside}"], "Must the owner call?")
    assert [claim.text for claim in answer.claims] == ["The owner must call."]


def test_what_a_rule_applies_to_takes_the_place_of_nothing() -> None:
    text = "The fee for a berth is £20 a day. This rule applies to all vessels."
    answer = answered([text], "What is the fee for a berth?")
    assert [claim.text for claim in answer.claims] == text.replace("day. ", "day.\n").split("\n")
