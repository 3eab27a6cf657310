"""Changes as the Federal Register words them, from the citation to the answer."""

from __future__ import annotations

import pytest

from rulerank.answer.changes import repeals
from tests.answer.rules import as_read, changes_read

LOGS = "A bank must keep six logs."


@pytest.mark.parametrize(
    "change",
    [
        "Amend § 7.1 by removing “six” and adding in its place “ten”.",
        "In § 7.1, remove the word “six” and add in its place the word “ten”.",
        "In § 7.1, remove the word “six” and add, in its place, the word “ten”.",
        "Section 7.1 is amended by removing the phrase “six” and adding the phrase “ten” in its place.",
        "§ 7.1 [Amended] Amend § 7.1 by removing “six” wherever it appears and adding “ten” in its place.",
        "Remove “six” in § 7.1 and add in its place “ten”.",
        "Section 7.1 is amended by striking “six” and inserting “ten”.",
        "Section 7.1 is amended by striking ‘‘six’’ and inserting in lieu thereof ‘‘ten’’.",
        "■ 2. Section 7.1 is amended by removing “six” and adding, in its place, “ten”.",
        "In § 7.1, remove the text “six” and add “ten” in its place.",
        "In § 7.1, the phrase “six” is removed and “ten” is added in its place.",
        "In § 7.1, on page 12, in the second column, “six” is corrected to read “ten”.",
        "The number in § 7.1 is increased from six to ten.",
        "In § 7.1, “six” is revised to read “ten”.",
        "Section 7.1 is corrected by removing “six” and adding in its place “ten”.",
    ],
)
def test_words_are_removed_and_others_added_in_their_place(change: str) -> None:
    stated = as_read(LOGS, change, grammar="us_cfr")
    assert stated == "- A bank must keep six [read as “ten”] logs. [P2][P1]"


@pytest.mark.parametrize(
    "change",
    [
        "Remove § 7.1.",
        "Remove and reserve § 7.1.",
        "■ Remove § 7.1.",
        "§ 7.1 [Removed]",
        "Section 7.1 is removed and reserved.",
        "Effective January 1, 2020, remove § 7.1.",
        "The Bureau amends 12 CFR part 7 as follows: 1. Remove § 7.1.",
        "Section 7.1 is rescinded.",
        "Section 7.1 is withdrawn.",
        "Section 7.1 is suspended until January 1, 2030.",
        "Section 7.1 is stayed indefinitely.",
        "Section 7.1 expires on January 1, 2020.",
    ],
)
def test_a_rule_that_is_removed_is_stated_with_its_removal(change: str) -> None:
    assert as_read(LOGS, change, grammar="us_cfr").endswith(f"{change} [P2][P1]")


@pytest.mark.parametrize(
    "change", ["Revise § 7.1", "■ 2. Revise and republish § 7.1", "§ 7.1 is revised", "§ 7.1 is amended"]
)
def test_a_rule_that_is_revised_is_stated_in_its_new_words(change: str) -> None:
    stated = as_read(
        LOGS, f"{change} to read as follows: § 7.1 Logs. A bank must keep ten.", grammar="us_cfr"
    )
    assert stated == "- A bank must keep ten. [P2][P1]"


SECTION = "(a) A card must show one light. (b) A bank must keep six logs."


@pytest.mark.parametrize(
    "change",
    [
        "Section 7.1 is amended by removing paragraph (b).",
        "In § 7.1, remove and reserve paragraph (b).",
        "Remove paragraph (b) of § 7.1.",
        "Amend § 7.1 by revising paragraph (b) to read as follows: (b) A bank must keep ten logs.",
        "Revise § 7.1 to read as follows:",
        "Redesignate § 7.1 as § 7.4 and revise it to read as follows: A bank must keep ten logs.",
        "In § 7.1, redesignate paragraphs (a) and (b) as paragraphs (b) and (c) and add paragraph (a).",
        "The effective date of § 7.1 is delayed until January 1, 2030.",
        "The effective date of the rule amending § 7.1, published on March 1, 2020, is delayed until May "
        "1, 2030.",
        "Amend § 7.1 as follows: a. Remove “six” and add “ten” in its place; and b. Add a sentence at "
        "the end.",
    ],
)
def test_a_change_to_a_part_or_whose_words_stand_elsewhere_is_stated_beside_the_rule(change: str) -> None:
    stated = as_read(SECTION, change, grammar="us_cfr")
    assert stated == f"- A card must show one light. A bank must keep six logs. [{change}] [P2][P1]"


def test_words_of_one_paragraph_are_read_in_place_if_they_stand_once() -> None:
    change = "In § 7.1, remove the word “{}” from paragraph (b) and add in its place the word “ten”."
    stated = as_read(SECTION, change.format("six"), grammar="us_cfr")
    assert "A bank must keep six [read as “ten”] logs." in stated
    twice = as_read(
        "(a) A card has six marks. (b) A bank must keep six logs.", change.format("six"), grammar="us_cfr"
    )
    assert "[read as" not in twice
    assert f"[{change.format('six')}]" in twice


def test_a_final_rule_that_names_its_day_begins_on_it() -> None:
    texts = [LOGS, "Remove § 7.1.", "DATES: This final rule is effective January 1, {}."]
    past, coming = (as_read(*texts[:2], texts[2].format(year), grammar="us_cfr") for year in (2020, 2030))
    assert past.startswith("- Remove § 7.1. [P2][P1]")
    assert coming.startswith(f"- {LOGS} [P1]")


def test_a_final_rule_that_is_delayed_begins_on_the_later_day() -> None:
    texts = [LOGS, "Remove § 7.1.", "DATES: This final rule is effective January 1, 2020."]
    delays = [
        f"The effective date of this final rule is delayed until January 1, {year}." for year in (2022, 2030)
    ]
    assert as_read(*texts, delays[0], grammar="us_cfr").startswith("- Remove § 7.1. [P2][P1]")
    assert as_read(*texts, *delays, grammar="us_cfr").startswith(f"- {LOGS} [P1]")


def test_words_that_are_added_are_stated_beside_the_rule() -> None:
    change = "Section 7.1 is amended by adding the words “and a bell” after “logs”."
    assert as_read(LOGS, change, grammar="us_cfr") == f"- {LOGS} [{change}] [P2][P1]"


@pytest.mark.parametrize(
    "text",
    [
        "The Bureau proposes to amend § 7.1 by removing “six” and adding in its place “ten”.",
        "The proposed rule amends § 7.1.",
        "The proposal would protect consumers by revising § 7.1.",
        "The Bureau may remove § 7.1.",
        "The Director may: (1) Amend a form; or (2) Remove § 7.1.",
        "Nothing in this part removes § 7.1.",
        "Amounts required by § 7.1 are removed.",
        "Transfers under § 7.1 are amended daily.",
        "Fees imposed by § 7.1 are suspended until January 1, 2030.",
        "A bank must amend its logs under § 7.1.",
        "If § 7.1 is removed, a bank must tell the Bureau.",
        "Section 7.1 was amended in 2010.",
        "Section 7.1 is redesignated as § 7.4.",
        "Redesignate § 7.1 as § 7.4.",
        "The Bureau proposes that the effective date of § 7.1 is delayed until January 1, 2030.",
    ],
)
def test_what_changes_no_rule(text: str) -> None:
    assert changes_read([LOGS, text], "us_cfr") == ()


def test_a_change_of_the_introductory_text_is_one_of_a_part() -> None:
    (read,) = changes_read(
        [SECTION, "In § 7.1, revise the introductory text of paragraph (b) to read as follows: x"], "us_cfr"
    )
    assert read.in_part


def test_what_is_removed_is_a_provision_with_its_number() -> None:
    assert repeals("Remove appendix A to part 7.")
    assert repeals("Section 7.1 is amended by removing paragraph (b).")
    assert not repeals("Section 7.1 is amended by removing rules for tugs.")
