"""Lead-ins and items that are passages of their own."""

from __future__ import annotations

import pytest

from rulerank.answer.verify import verified
from tests.answer.rules import answered


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
        ("The owner must say:", "A notice that a fee may be charged.", "obligation"),
        ("The owner must say:", "How often a fee may be charged;", "obligation"),
        ("The owner must not hide:", "The fee that may be charged for calls; and", "prohibition"),
        ("The sign shows:", "That a fee may be charged; or", "permission"),
        ("The mate may act thus:", "The mate may ring the bell.", "permission"),
    ],
)
def test_item_that_others_follow_or_whose_lead_in_states_something_needs_the_lead_in(
    lead_in: str, item: str, modality: str
) -> None:
    (claim,) = answered([item, lead_in], "What of a fee?", parents={"p1": "p2"}).claims
    assert claim.text.startswith(f"{lead_in} {item[:20]}")
    assert (claim.modality, claim.passages) == (modality, ("p1", "p2"))


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
