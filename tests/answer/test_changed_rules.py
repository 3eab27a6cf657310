"""Rules that were changed more than once, in part, or through their lead-in: a change is never missed."""

from __future__ import annotations

from datetime import date

import pytest

from rulerank.answer import Claim, Quote
from rulerank.answer.changes import renews
from rulerank.answer.verify import fault
from tests.answer.rules import as_verified, changes, passage

RULE = "A pilot must rest for six hours."
TEN = "In rule 1, “six hours” is replaced by “ten hours”."
VERSION = "A pilot must rest for twenty hours and must report."
ANEW = f"Rule 1 is replaced by the following: {VERSION}"
TUGS = "In relation to tugs, rule 1 is replaced by the following: A pilot must rest for two hours."
IN_TURN = {2: date(2021, 1, 1), 3: date(2023, 1, 1)}


@pytest.mark.parametrize("last", [VERSION, ANEW])
def test_new_words_of_a_rule_count_and_no_earlier_change_of_the_old_ones(last: str) -> None:
    said = as_verified([RULE, TEN, last], changes((2, 1), (3, 1), since=IN_TURN))
    assert said == f"- {last} [P3][P1]"


def test_change_that_new_words_void_is_left_out_whatever_their_dates() -> None:
    assert as_verified([RULE, TEN, VERSION], changes((2, 1), (3, 1), (3, 2))) == f"- {VERSION} [P3][P1]"


def test_change_that_may_be_later_than_new_words_is_stated_beside_them() -> None:
    said = as_verified([RULE, TEN, VERSION], changes((2, 1), (3, 1)))
    assert said == f"- {VERSION} [{TEN}] [P2][P3][P1]"


def test_last_of_two_versions_is_stated_and_the_other_is_cited() -> None:
    ten = "A pilot must rest for ten hours."
    said = as_verified([RULE, ten, VERSION], changes((2, 1), (3, 1), since=IN_TURN))
    assert said == f"- {VERSION} [P3][P2][P1]"
    # Without dates, nobody knows which is the last.
    assert as_verified([RULE, ten, VERSION], changes((2, 1), (3, 1))) == f"- {VERSION} [{ten}] [P2][P3][P1]"


def test_new_words_are_stated_with_the_cases_that_have_words_of_their_own() -> None:
    assert as_verified([RULE, ANEW, TUGS], changes((2, 1), (3, 1))) == f"- {ANEW} [{TUGS}] [P3][P2][P1]"
    # A change for some cases outlives new words for all of them.
    said = as_verified([RULE, TUGS, VERSION], changes((2, 1), (3, 1), since=IN_TURN))
    assert said == f"- {VERSION} [{TUGS}] [P2][P3][P1]"


def test_change_of_new_words_is_read_in_them() -> None:
    later = "In rule 1, “twenty hours” is replaced by “thirty hours”."
    said = as_verified([RULE, VERSION, later], changes((2, 1), (3, 1)))
    assert said == (
        "- A pilot must rest for twenty hours [read as “thirty hours”] and must report. [P3][P2][P1]"
    )


def test_change_in_unknown_words_is_stated_beside_a_reading() -> None:
    schedule = "Rule 1 is amended as set out in Schedule 2."
    said = as_verified([RULE, TEN, schedule], changes((2, 1), (3, 1)))
    assert said == f"- A pilot must rest for six hours [read as “ten hours”]. [{schedule}] [P2][P3][P1]"


def test_words_that_go_on_in_the_next_sentence_are_changed_in_both() -> None:
    texts = [
        "A master must keep a log. It must be signed. A pilot must rest.",
        "In rule 1, “log. It must be signed” is replaced by “log, which need not be signed”.",
    ]
    assert as_verified(texts, changes((2, 1))).splitlines() == [
        "- A master must keep a log. It must be signed [read as “log, which need not be signed”]. [P2][P1]",
        "- A pilot must rest. [P2][P1]",
    ]


def test_repeal_of_an_amendment_is_not_the_repeal_of_the_rule() -> None:
    said = as_verified([RULE, TEN, "Rule 2 is repealed."], changes((2, 1), (3, 2)))
    assert said == (
        "- A pilot must rest for six hours [read as “ten hours”]. [Rule 2 is repealed.] [P2][P3][P1]"
    )


def test_repeal_is_stated_once_however_often_it_was_made() -> None:
    texts = [RULE, "Rule 1 is repealed.", "Rules 1 to 3 are revoked."]
    said = as_verified(texts, changes((2, 1), (3, 1), since=IN_TURN))
    assert said == "- Rules 1 to 3 are revoked. [P3][P2][P1]"
    # Whatever else replaced the rule is cited too.
    said = as_verified([RULE, VERSION, texts[1]], changes((2, 1), (3, 1), since=IN_TURN))
    assert said == "- Rule 1 is repealed. [P3][P2][P1]"


HELD = "Rule 2 has no effect where a tug is in attendance."


def test_exception_that_was_repealed_is_left_out() -> None:
    said = as_verified(
        [RULE, TEN, HELD, "Rule 3 is repealed."], changes((2, 1), (4, 3)), citing={"p2": ["p3"]}
    )
    assert said.splitlines()[0] == "- A pilot must rest for six hours [read as “ten hours”]. [P2][P1]"


def test_exception_that_was_changed_is_stated_with_its_change() -> None:
    two = "In rule 3, for “a tug” there is substituted “two tugs”."
    said = as_verified([RULE, TEN, HELD, two], changes((2, 1), (4, 3)), citing={"p2": ["p3"]})
    assert said == (
        f"- A pilot must rest for six hours [read as “ten hours”]. [{two}] [{HELD}] [P2][P4][P3][P1]"
    )


def test_exception_that_ranks_first_is_stated_once_with_its_rule() -> None:
    said = as_verified([HELD.replace("2", "3"), RULE, TEN], changes((3, 2)), citing={"p3": ["p1"]})
    assert said == (
        "- A pilot must rest for six hours [read as “ten hours”]. "
        "[Rule 3 has no effect where a tug is in attendance.] [P3][P1][P2]"
    )
    # The repeal of the exception, too, comes first. Nothing but that repeal states it.
    texts = ["Rule 2 is repealed.", HELD.replace("2", "4"), RULE, TEN]
    said = as_verified(texts, changes((1, 2), (4, 3)), citing={"p4": ["p2"]})
    assert said == (
        "- Rule 2 is repealed. [P1][P2]\n- A pilot must rest for six hours [read as “ten hours”]. [P4][P3]"
    )
    # A repealed rule has no words beside which the exception could be stated.
    texts = [HELD.replace("2", "3"), RULE, "Rule 2 is repealed."]
    said = as_verified(texts, changes((3, 2)), citing={"p3": ["p1"]})
    assert said == (
        "- Rule 3 has no effect where a tug is in attendance. [P1]\n- Rule 2 is repealed. [P3][P2]"
    )


LEAD, ITEM = "Within six hours of arrival, a master must provide:", "(a) the log of six days; and"


def test_item_is_stated_with_its_lead_in_as_that_is_read_today() -> None:
    said = as_verified([LEAD, ITEM, TEN], changes((3, 1)), parents={"p2": "p1"})
    assert said == (
        "- Within six hours [read as “ten hours”] of arrival, a master must provide: the log of six days "
        "[P3][P2][P1]"
    )


def test_changed_item_keeps_its_lead_in() -> None:
    change = "In rule 1(a), “six days” is replaced by “ten days”."
    said = as_verified([LEAD, ITEM, change], changes((3, 2)), parents={"p2": "p1"})
    assert said == (
        "- Within six hours of arrival, a master must provide: the log of six days [read as “ten days”] "
        "[P3][P2][P1]"
    )


def test_claim_must_cite_every_change_that_may_concern_it() -> None:
    claim = Claim("A pilot must rest for ten hours.", None, ("p2", "p1"), changed_by=("p2",))
    rule, ten = passage(1, RULE, ("p2", "p3")), passage(2, TEN)
    for last in (VERSION, "Rule 1 is repealed.", "In rule 1, for “a pilot” substitute “a master”."):
        found = fault(claim, {"p1": rule, "p2": ten, "p3": passage(3, last)})
        assert found == "change: 'p1' is changed by 'p3', which the claim does not cite"
    for last in (TUGS, "In rule 1, for “a week” substitute “a month”."):
        assert fault(claim, {"p1": rule, "p2": ten, "p3": passage(3, last)}) is None


@pytest.mark.parametrize("words", ["Fees.", "six hours"])
def test_passage_that_only_shares_words_with_a_changed_rule_bears_nothing_out(words: str) -> None:
    text = "A pilot must rest for six hours [read as “ten hours”] after berthing, fees apart."
    rule = passage(1, "A pilot must rest for six hours after berthing, fees apart.", ("p2",))
    quotes = Quote("p1", 0, len(rule.text)), Quote("p3", 0, len(words))
    claim = Claim(text, None, ("p2", "p1", "p3"), quotes, changed_by=("p2",))
    found = fault(claim, {"p1": rule, "p2": passage(2, TEN), "p3": passage(3, words)})
    assert found == "support: 'p3' is cited and does not bear the claim out"


@pytest.mark.parametrize(
    ("text", "evidence", "expected"),
    [
        (VERSION, "", True),
        (ANEW, "Rule 1 is replaced", True),
        ("A master must replace filters.", "2023-01-01 after 2020-01-01", True),
        ("Rule 1 is amended as set out in Schedule 2.", "Rule 1 is amended", False),
        (TEN, "", False),
        (TUGS, "", False),
        ("Rule 1 is repealed.", "", False),
    ],
)
def test_rule_is_renewed_by_its_whole_new_words_alone(text: str, evidence: str, expected: bool) -> None:
    assert renews(text, evidence) is expected
