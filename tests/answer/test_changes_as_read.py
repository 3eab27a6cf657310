"""Changes as regulations word them, from the citation to the answer."""

from __future__ import annotations

import pytest

from rulerank.answer.changes import Substitution, repeals, stated_substitutions
from rulerank.authority.in_force import Voiding
from tests.answer.rules import as_read, changes_read

REST = "A pilot must rest for six hours."
LOGS = "A master must keep six logs."
THREE = "(1) A pilot must rest for six hours. (2) A pilot must keep a log. (3) A pilot must not drink."


@pytest.mark.parametrize(
    "change",
    [
        "In rule 1, for “six” there is substituted “ten”.",
        "In rule 1 (rest periods), “six” is replaced by “ten”.",
        "In rule 1, for the words “six” there shall be substituted the words “ten”.",
        "In rule 1—\n(a) for “six” substitute “ten”; and\n(b) for “oar” substitute “sail”.",
        "Rule 1 is amended as follows. For “six” substitute “ten”.",
        "In rule 1 for “six” read “ten”.",
        "In rule 1, in the opening words, for “six” substitute “ten”.",
        "Rule 1 is amended by striking “six” and inserting “ten”.",
        "In rule 1, delete “six” and insert “ten”.",
        "Rule 1 is amended by substituting the word “six” with the word “ten”.",
        "In the proviso to rule 1, for “six” substitute “ten”.",
        "Rule 1 is amended as follows. In accordance with section 12, for “six” substitute “ten”.",
        "Rule 1 is amended as follows. In paragraph 1, the word “six” is replaced by “ten”.",
        "Rule 1 shall have effect with the substitution of “ten” for “six”.",
        "In rule 1, “ten” is substituted for “six”.",
        "Rule 1 applies as if for the words “six” there were substituted “ten”.",
        "The reference in rule 1 to “six” shall be read as a reference to “ten”.",
        "References in rule 1 to “six” are to be construed as references to “ten”.",
        "In rule 1, the reference to “six” is read as a reference to “ten”.",
    ],
)
def test_new_words_beside_the_old_ones(change: str) -> None:
    assert as_read(REST, change) == "- A pilot must rest for six [read as “ten”] hours. [P2][P1]"


@pytest.mark.parametrize(
    "change",
    [
        "Rule 1 (rest periods) is repealed.",
        "Omit rule 1.",
        "Rule 1 ceases to have effect.",
        "Rule 1 is rescinded.",
        "Rule 1 is struck out.",
        "Rule 1 is suspended until 31 December 2030.",
        "Rule 1 expires on 31 December 2023.",
        "Rule 1 has no effect after 31 December 2023.",
        "Rule 1 shall cease to apply on 31 December 2023.",
        "Rule 1 is deleted and replaced by: “A pilot must rest for ten hours.”",
        "Rule 1 is repealed when these rules come into force.",
        "Rule 1 is repealed on the coming into force of these rules.",
        "Rule 1 (rest) is repealed.",
        "Rule 1 is revoked for all purposes.",
        "The Authority, in exercise of the powers in paragraph (2) of section 4, hereby revokes rule 1.",
        "Subject to the savings in paragraph (2), rule 1 is revoked.",
        "Pursuant to sub-paragraph (a), rule 1 is repealed.",
        "In exercise of its powers to make rules under the Act, the Authority hereby revokes rule 1.",
        "The Authority, having consulted such persons as it may think fit, hereby revokes rule 1.",
        "From 1 January 2020 the Authority may charge a fee and rule 1 is repealed.",
        "Rule 1 is revoked. This rule expires on 31 December 2023.",
        "For rule 1 substitute the following rule: A pilot must rest for ten hours.",
        "Rule 1 shall be substituted by the following: A pilot must rest for ten hours.",
    ],
)
def test_a_repeal_or_a_new_rule_takes_the_place_of_the_old_one(change: str) -> None:
    assert as_read(REST, change) == f"- {change} [P2][P1]"


@pytest.mark.parametrize(
    "change",
    [
        "When ice closes the channel, rule 1 has effect as if “six” read “ten”.",
        "During the winter, rule 1 has effect as if “six” read “ten”.",
        "In respect of tugs, in rule 1, for “six” substitute “ten”.",
        "In rule 1, after “hours” insert “daily”.",
        "In rule 1, omit “for six hours”.",
        "At the end of rule 1 add “daily”.",
        "In rule 1, at the end, insert “daily”.",
        "In rule 1, omit the words from “for” to the end.",
        "Rule 1, as it applies to a ferry, is amended by substituting “ten” for “six”.",
        "In rule 1, for ferries only, for “six” substitute “ten”.",
        "For the financial year ending on 31 March 2023, in rule 1, for “six” substitute “ten”.",
        "Rule 1 ceases to have effect at the end of the period of 3 years beginning with 1 January 2022.",
        "Rule 1 is repealed from midnight on 31 December 2024.",
        "Rule 1 lapses at the end of the financial year 2022/23.",
        "Rule 1 is amended by deleting “six” and inserting “or a mate” after “pilot”.",
        "Rule 1 is amended by replacing “six” with “ten” and inserting at the end “daily”.",
        "Rule 1 is revoked; but rule 1 continues to apply in relation to tugs.",
        "Rule 1 is revoked. Rule 1 continues to apply to voyages begun before that day.",
        "Rule 1 is revoked. It continues to apply to tugs.",
        "Rule 1 is revoked with respect to tugs.",
        "In rule 1, for “six” and “pilot” substitute “ten” and “mate” respectively.",
        "The reference in rule 1 to a pilot shall be read as a reference to a licensed pilot.",
        "The reference in rule 1 to “a pilot” is to be read as including a reference to “a mate”.",
        "In rule 1, any reference to the hours is to be construed as a reference to the hours of daylight.",
        "Rule 1 is amended as follows— (a) for “six” substitute “ten”; (b) after “hours” insert “daily”.",
        "In rule 1— (a) in paragraph (1), for “six” substitute “ten”; (b) omit paragraph (2).",
    ],
)
def test_a_change_in_some_cases_or_by_other_words_stands_beside_the_rule(change: str) -> None:
    assert as_read(REST, change) == f"- A pilot must rest for six hours. [{change}] [P2][P1]"


def test_a_saving_of_something_else_leaves_a_rule_revoked() -> None:
    change = "Rule 1 is revoked. A licence is renewed for one year. It continues in force."
    assert as_read(REST, change) == f"- {change} [P2][P1]"


@pytest.mark.parametrize(
    "change",
    [
        "Rule 1(2) is repealed.",
        "Paragraph (2) of rule 1 is repealed.",
        "Rule 1 is amended by deleting paragraph (2).",
        "In rule 1, omit paragraph (2).",
        "In rule 1, paragraph (2) is revoked.",
        "In rule 1, for paragraph (2) substitute— “(2) A pilot must keep two logs.”",
        "In rule 1, after paragraph (2) insert— “(2A) A pilot must sign the log.”",
        "After paragraph (2) of rule 1 insert— “(2A) A pilot must sign the log.”",
    ],
)
def test_the_change_of_a_part_leaves_the_other_duties(change: str) -> None:
    stated = "A pilot must rest for six hours. A pilot must keep a log. A pilot must not drink."
    assert as_read(THREE, change) == f"- {stated} [{change}] [P2][P1]"


def test_words_of_a_part_are_read_as_others_if_they_stand_once() -> None:
    change = "In rule 1(1), for “six” substitute “ten”."
    assert "six [read as “ten”] hours" in as_read(THREE, change)
    twice = THREE.replace("a log", "six logs")
    assert "read as" not in as_read(twice, change)


def test_a_definition_is_a_part_of_a_rule() -> None:
    rule = "“Tug” means a vessel of six tons. “Barge” means a vessel of ten tons."
    change = "In rule 1, in the definition of “tug”, for “{}” substitute “nine”."
    assert "of six [read as “nine”] tons" in as_read(rule, change.format("six"))
    assert "read as" not in as_read(rule, change.format("tons"))


def test_a_passage_that_cites_a_part_among_whole_rules_changes_these_as_a_whole() -> None:
    assert changes_read([REST, LOGS, "Rules 1 and 2(3) are repealed."]) == (
        Voiding("p3", "p1", "Rules 1 and 2(3) are repealed", None),
        Voiding("p3", "p2", "Rules 1 and 2(3) are repealed", None, in_part=True),
    )


@pytest.mark.parametrize(
    ("change", "rest", "logs"),
    [
        (
            "In these Rules—\n(a) in rule 1, for “six” substitute “ten”;"
            "\n(b) in rule 2, for “six” substitute “two”.",
            "six [read as “ten”] hours",
            "six [read as “two”] logs",
        ),
        (
            "In rule 1, for “six” substitute “ten”; in rule 2, for “six” substitute “two”.",
            "six [read as “ten”] hours",
            "six [read as “two”] logs",
        ),
        (
            "(1) Rule 1 is amended as follows. (2) For “six” substitute “ten”."
            " (3) Rule 2 is amended as follows. (4) For “six” substitute “two”.",
            "six [read as “ten”] hours",
            "six [read as “two”] logs",
        ),
        (
            "In rule 1, for “six” there is substituted “ten”. Rule 2 is repealed.",
            "six [read as “ten”] hours",
            "Rule 2 is repealed. [P3][P2]",
        ),
    ],
)
def test_each_rule_gets_its_own_change_of_one_passage(change: str, rest: str, logs: str) -> None:
    claims = as_read(REST, LOGS, change).splitlines()
    assert len(claims) == 2
    assert rest in claims[0]
    assert logs in claims[1]


def test_a_period_may_end_and_another_take_its_place() -> None:
    change = "Rule 1 ceases to have effect. The period in rule 1 is ten hours."
    evidence = changes_read([REST, change])[0].evidence
    assert stated_substitutions(change, evidence) == [Substitution("", "ten hours")]
    assert not repeals(change, evidence)


def test_a_repeal_counts_although_its_passage_changes_an_amendment_of_the_rule_too() -> None:
    amended = "In rule 1, for “six” substitute “ten”."
    repeal = "Rule 1 is revoked. Rule 2 is amended as set out in the Schedule."
    assert as_read(REST, amended, repeal) == f"- {repeal} [P3][P1]"


def test_a_condition_after_the_items_holds_for_all_of_them() -> None:
    change = "(a) rule 1 is revoked; and (b) rule 2 is revoked, in so far as they apply to tugs."
    assert as_read(REST, LOGS, change).splitlines() == [
        f"- A pilot must rest for six hours. [{change}] [P3][P1]",
        f"- A master must keep six logs. [{change}] [P3][P2]",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "A permit under rule 1 is revoked.",
        "Rule 1 must not be repealed.",
        "The owner must not omit rule 1 from the log.",
        "The Minister may by order amend or repeal rule 1.",
        "The Minister may provide that rule 1 is repealed.",
        "Where rule 1 is amended, the Authority must publish it.",
        "A reference to rule 1 is to be read as a reference to rule 2.",
        "A notice under rule 1 to the master is to be read as a reference to the owner.",
        "The Minister may provide that a reference in rule 1 to “six” is to be read as a reference to “ten”.",
        "For rule 1 the owner may substitute a plan of its own.",
        "The Minister proposes that rule 1 is revoked.",
        "A harbour pilot may, in place of rule 1, produce a letter from a doctor.",
    ],
)
def test_other_words_change_nothing(text: str) -> None:
    assert changes_read([REST, text]) == ()


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ("제1조 중 “12시간”을 “6시간”으로 한다.", "도선사는 12시간 [→ “6시간”]을 쉬어야 한다. [P2][P1]"),
        ("제1조(휴식)를 삭제한다.", "제1조(휴식)를 삭제한다. [P2][P1]"),
        ("제1조제2항을 삭제한다.", "도선사는 12시간을 쉬어야 한다. [제1조제2항을 삭제한다.] [P2][P1]"),
    ],
)
def test_korean_changes_as_read(change: str, stated: str) -> None:
    assert as_read("도선사는 12시간을 쉬어야 한다.", change, grammar="korean") == f"- {stated}"


@pytest.mark.parametrize("place", [" in the second place it occurs", ", where it first occurs,"])
def test_words_in_one_of_their_places_are_read_anew_only_if_they_stand_once(place: str) -> None:
    change = f"In rule 1, for “log”{place} substitute “list”."
    twice = "A tender must keep a log and copy the log."
    assert as_read(twice, change) == f"- {twice} [{change}] [P2][P1]"
    once = "A tender must keep a log."
    assert as_read(once, change) == "- A tender must keep a log [read as “list”]. [P2][P1]"


def test_change_that_another_paragraph_limits_stands_beside_the_rule() -> None:
    change = "(1) In rule 1, for “six” substitute “ten”. (2) Paragraph (1) applies only to a ferry."
    assert as_read(REST, change) == f"- {REST} [{change}] [P2][P1]"


@pytest.mark.parametrize(
    ("repeal", "later"),
    [
        ("Rule 1 is revoked.", "Rule 2 is revoked."),
        ("Rule 1 ceases to have effect.", "Rule 2 is repealed on 1 May 2020."),
        ("Rule 1 is revoked on 1 May 2020.", "Rule 2 is revoked on 2 May 2020."),
        ("Rule 1 is revoked.", "Rule 2 is revoked. This does not revive rule 1."),
        ("Rule 1 is revoked.", "Rule 2 is revoked, but nothing in this rule revives rule 1."),
    ],
)
def test_the_repeal_of_a_repeal_brings_no_rule_back(repeal: str, later: str) -> None:
    assert as_read(REST, repeal, later) == f"- {repeal} [{later}] [P2][P3][P1]"


def test_a_repeal_that_is_repealed_in_some_cases_stands() -> None:
    repeal, later = "Rule 1 is revoked.", "Rule 2 is revoked for tugs."
    assert as_read(REST, repeal, later) == f"- {repeal} [{later}] [P2][P3][P1]"


@pytest.mark.parametrize(
    ("change", "later"),
    [
        ("Rule 1 is suspended until 31 December 2030.", "Rule 2 is revoked."),
        ("Rule 1 shall cease to apply on 1 May 2020.", "Rule 2 is revoked."),
        # It was repealed before it began.
        ("Rule 1 is revoked on 1 May 2021.", "Rule 2 is revoked on 1 May 2020."),
        ("Rule 1 is revoked on 1 May 2021.", "Rule 2 is revoked."),
        ("In rule 1, after “hours” insert “daily”.", "Rule 2 is revoked."),
        # It brings the rule back itself.
        ("Rule 1 is revoked.", "Rule 2 is revoked and rule 1 is revived."),
        ("Rule 1 is revoked.", "Rule 2 is revoked. Rule 1 comes back into force."),
        ("Rule 1 is revoked.", "Rule 2 is revoked. Rule 1 has effect as if it had never been revoked."),
    ],
)
def test_what_only_stands_in_the_way_of_a_rule_is_lifted(change: str, later: str) -> None:
    assert as_read(REST, change, later) == f"- {REST} [{later}] [P3][P1]"
