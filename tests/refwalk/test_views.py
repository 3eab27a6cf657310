from __future__ import annotations

from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.views import unmarked, views

QUESTION = "Must a tug operator report within 2 hours?"


def test_views_of_a_full_anchor() -> None:
    anchor = Anchor("incident report", "tug operator", "within 2 hours", "over 5 tonnes", "if a line parts")
    conditions = (
        "Conditions: [ACTOR] tug operator, [TEMPORAL] within 2 hours, [MAGNITUDE] over 5 tonnes, "
        "[SITUATIONAL] if a line parts"
    )
    assert views(QUESTION, anchor) == {
        "narrow": QUESTION,
        "mid": f"[TOPIC] incident report\n[Q] {QUESTION}\n{conditions}",
        "wide": f"[TOPIC] incident report\n{conditions}",
    }


def test_slot_of_which_nothing_is_said_holds_all() -> None:
    assert views(QUESTION, Anchor(actor="tug operator"))["wide"] == (
        "[TOPIC] all\nConditions: [ACTOR] tug operator, [TEMPORAL] all, [MAGNITUDE] all, [SITUATIONAL] all"
    )


def test_question_without_an_anchor_has_the_narrow_view_alone() -> None:
    assert views(QUESTION, Anchor()) == {"narrow": QUESTION}


def test_domain_and_language_are_in_no_view() -> None:
    anchor = Anchor("report")
    named = Anchor("report", domain="Tug Code", language="en")
    assert views(QUESTION, named) == views(QUESTION, anchor)
    assert not Anchor(domain="Tug Code", language="en")


def test_views_go_from_the_question_to_its_conditions_in_the_order_of_the_weights() -> None:
    assert list(views(QUESTION, Anchor("report"))) == ["narrow", "mid", "wide"]


def test_unmarked_view_holds_the_words_alone() -> None:
    view = views(QUESTION, Anchor("allocation of berths", "all crew", situational="if all is dark"))
    assert unmarked(view["mid"]) == f"allocation of berths {QUESTION} all crew, if all is dark"
    assert unmarked(view["narrow"]) == QUESTION
    assert unmarked(views(QUESTION, Anchor(temporal="daily"))["wide"]) == "daily,"
