"""Changes as drafters of several countries word them, from the citation to the answer."""

from __future__ import annotations

import pytest

from tests.answer.rules import as_read, changes_read

TUG = "(1) A tug must carry two bells. (2) A tug must not race. (3) A tug must pay a fee of £10."
TUG_STATED = "A tug must carry two bells. A tug must not race. A tug must pay a fee of £10."


@pytest.mark.parametrize(
    "change",
    [
        # India
        "In rule 1, for the word “two”, the word “three” shall be substituted.",
        # Australia
        "Rule 1\nOmit “two”, substitute “three”.",
        # Hong Kong
        "Rule 1— Repeal “two” Substitute “three”.",
        "Rule 1 is amended by repealing “two” and substituting “three”.",
        # New Zealand, Singapore
        "In rule 1, replace “two” with “three”.",
        "In rule 1, change “two” to “three”.",
        # Ireland
        "Rule 1 is amended by the substitution of “three” for “two”.",
        # United Kingdom
        "In rule 1, for “two” (in both places) substitute “three”.",
        "In rule 1, for “two”, wherever it occurs, substitute “three”.",
        "In rule 1, leave out “two” and insert “three”.",
        "In rule 1, “three” is inserted in place of “two”.",
        "“Three” is inserted in place of “two” in rule 1.",
        "In rule 1, for the figure “two” there is substituted the figure “three”.",
        "The word “two” in rule 1 is replaced with the word “three”.",
        "Delete “two” from rule 1 and replace it with “three”.",
        "Delete the word “two” in rule 1 and substitute the word “three”.",
        "Replace “two” in rule 1 with “three”.",
        "Amend rule 1 by deleting “two” and inserting “three”.",
        "The Harbour Rules are amended by— (a) substituting “three” for “two” in rule 1; and (b) "
        "deleting rule 9.",
        "Rule 1 shall have effect as though the word “three” were substituted for “two”.",
        "In rule 1, “two” becomes “three”.",
        # A corrigendum of the European Union
        "Rule 1: for: ‘two’, read: ‘three’.",
    ],
)
def test_words_are_put_in_place(change: str) -> None:
    stated = as_read(TUG, change).lower()
    assert "a tug must carry two [read as “three”] bells." in stated


@pytest.mark.parametrize(
    "change",
    [
        "In rule 1, for the words from “two” to the end substitute “a light”.",
        "In rule 1, for the words from “two” to “bells” there is substituted “a light”.",
        "In rule 1, sub-rule (2) shall be omitted.",
        "In rule 1, clause (b) shall be omitted.",
        "In rule 1, subsection (2) shall cease to have effect.",
        "In rule 1, repeal subsection (2).",
        "In rule 1, the word “two” is repealed.",
        "In rule 1, the words “not race” shall cease to have effect.",
        "In rule 1, after the words “two bells”, the words “and a light” shall be inserted.",
        "Rule 1 is amended by the insertion of the following subsection after subsection (2): “…”.",
        "The definition of “tug” in rule 1 is repealed.",
        "The words “not race” in rule 1 are omitted.",
        "The table in rule 1 is deleted.",
        "In rule 1, in the heading, for “Tugs” substitute “Ships”.",
        "For the heading of rule 1 substitute “Ships”.",
        # The words are not in this part of the rule.
        "In rule 1, for “five” substitute “nine”.",
        "Rule 1 is amended by deleting the full-stop at the end and substituting a semi-colon.",
        "In rule 1, replace subsection (2) with: (2) A tug must be slow.",
        "The reference to two bells in rule 1 is to be read as a reference to three bells.",
        "The list of bells in rule 1 is replaced by the following list: gong.",
        "For a tug under repair, the fee of £10 in rule 1 is increased to £20.",
        "The fee of £10 in rule 1 is increased to £20 by order of the court.",
        # More than a substitution of words.
        "(1) Rule 1 is amended as follows. (2) In paragraph (1), for “two” substitute “three”. "
        "(3) Omit paragraph (2).",
        "(1) Rule 1 is amended as follows. (2) In paragraph (1), for “two” substitute “three”. "
        "(3) Paragraph (2) is revoked.",
        "Rule 1 is amended by: (a) replacing “two” with “three” in paragraph (1); and (b) repealing "
        "paragraph (2).",
        "In rule 1(1), for “two” substitute “three”. Rule 1(2) is revoked.",
        "(1) Rule 1 is amended as set out in paragraphs (2) and (3). (2) In paragraph (1), for “two” "
        "substitute "
        "“three”. (3) Paragraph (2) is omitted.",
        "(1) Rule 1 is amended in accordance with this rule. (2) In paragraph (1), for “two” substitute "
        "“three”. "
        "(3) Omit paragraph (2).",
        "Where a tug is under repair, the fee in rule 1 is increased to £20.",
        "Insert “large” before “tug” in rule 1.",
        "Delete the word “two” from rule 1.",
        "The table in rule 1 is replaced with the table set out in Schedule 2.",
        "The fee in rule 1 is increased to £20.",
        "Rule 1 is amended by— (a) deleting the word “two” and substituting “three”; (b) deleting "
        "paragraph (2).",
        "Amend rule 1 by adding a new paragraph (4).",
        # India
        "In partial modification of rule 1, a ferry need carry no bell.",
        # Only a number is new, but for what is inserted.
        "Rule 1 is renumbered as rule 1(1), and after it insert “(2) A barge must pay £5.”.",
        "Rule 1 becomes rule 1(1) and after that paragraph insert “(2) A barge must pay £5.”.",
    ],
)
def test_what_changes_a_rule_in_part_is_stated_beside_it(change: str) -> None:
    assert as_read(TUG, change).startswith(f"- {TUG_STATED} [{' '.join(change.split())}] [P2][P1]")


@pytest.mark.parametrize(
    "change",
    [
        "For rule 1, the following rule shall be substituted, namely:— “1. A tug must stop.”",
        "Rule 1 is replaced by the following rule: A tug must stop.",
        "Rule 1 is replaced with a new rule 1: A tug must stop.",
        "Replace rule 1 with: A tug must stop.",
        "Rule 1 is no longer in force.",
        "Rule 1 is of no further force or effect.",
        "Rule 1 does not have effect until 1 March 2099.",
        "Rule 1 shall have no further force or effect.",
        "Rule 1\nRepeal the rule.",
        "The operation of rule 1 is suspended until 1 March 2099.",
        "The requirements of rule 1 are hereby waived until 1 March 2099.",
        "Application of rule 1 is suspended until 1 March 2099.",
        "Until 1 March 2099, rule 1 is suspended.",
        "Rule 1 is temporarily suspended until 1 March 2099.",
        "Rule 1 is, until further notice, suspended.",
        "Compliance with rule 1 is not required until 1 March 2099.",
        "Accordingly, rule 1 stands withdrawn.",
        "In supersession of rule 1, a ferry must stop.",
        "The Harbour Rules are amended by repealing rule 1.",
        "Rule 1 has effect until 1 March 2020.",
        "Rule 1 shall remain in force until 1 March 2020.",
        "Rule 1 applies until 1 March 2020 only.",
    ],
)
def test_a_rule_that_is_replaced_or_ended_is_not_stated(change: str) -> None:
    stated = as_read(TUG, change)
    assert "[P2][P1]" in stated
    assert "race" not in stated


def test_several_substitutions_in_one_text_are_all_put_in_place() -> None:
    change = "In rule 1(1), for “two” substitute “three”. In rule 1(3), for “£10” substitute “£20”."
    stated = as_read(TUG, change)
    assert (
        "A tug must carry two [read as “three”] bells. A tug must pay a fee of £10 [read as “£20”]." in stated
    )


def test_the_items_of_one_sentence_each_change_their_own_rule() -> None:
    items = "(a) the deletion of rule 2; and (b) replacing “two” with “three” in rule 1"
    change = f"The Harbour Rules are amended by: {items}."
    read = changes_read([TUG, "A pilot must rest.", change])
    assert [(each.of, each.evidence) for each in read] == [
        ("p2", "(a) the deletion of rule 2"),
        ("p1", "(b) replacing “two” with “three” in rule 1"),
    ]


def test_a_figure_with_commas_is_read_whole() -> None:
    change = "The limit of £1,000 in rule 1 is increased to £2,000,000, and rule 9 is revoked."
    assert "a capital of £1,000 [read as “£2,000,000”]." in as_read(
        "A tug must have a capital of £1,000.", change
    )


def test_a_fee_that_changes_for_some_is_stated_beside_the_rule() -> None:
    change = "The fee under rule 1(3) is reduced from £10 to £5 for students."
    assert f"{TUG_STATED} [{change}]" in as_read(TUG, change)


@pytest.mark.parametrize(
    "text",
    [
        "The Authority may amend, vary or revoke rule 1.",
        "The Authority may at any time, after consulting the owners, revoke rule 1.",
        "The Authority must not, without consent, revoke rule 1.",
        "Regulations may— (a) amend rule 1; (b) repeal rule 1.",
        "The Minister may, by order,— (a) repeal rule 1; or (b) amend it.",
        "The Minister may do any of the following: (a) revoke rule 1; (b) pay a fee.",
        "Regulations may make provision that amends, repeals or revokes rule 1.",
        "The exemption from rule 1 is revoked.",
        "The waiver of rule 1 is revoked.",
        "The entry for rule 1 is omitted.",
        "The heading of rule 1 is omitted.",
        "The transitional provision for rule 1 is deleted.",
        "An order made in exercise of the power in rule 1 is revoked.",
        "A copy of rule 1 shall be replaced if it is lost.",
        "The duty of rule 1 shall cease to have effect on the sale of the tug.",
        "Rule 1 is omitted from Schedule 1.",
        "Rule 1 is removed from the Schedule.",
        "Rule 1 is deleted from the list.",
        "The notice must state: “Rule 1 is revoked.”",
        'The notice must state: "Rule 1 is revoked."',
        "In a case of distress, rule 1 has no effect.",
        "A permit granted in breach of rule 1 shall have no effect.",
        "A notice that does not comply with rule 1 has no effect.",
        "It is no defence that rule 1 is no longer in force.",
        "Each year, replace rule 1 ropes.",
        "Rule 1 does not have effect until the tug has been registered.",
        "See the reference to six hours in rule 1.",
        "In the event that rule 1 is repealed, the tug must stop.",
        "Provided that rule 1 is repealed, the tug must stop.",
        "Until such time as rule 1 is repealed, the tug must stop.",
        "The day on which rule 1 is repealed is the appointed day.",
        "This does not mean that rule 1 is revoked.",
        "The Authority denies that rule 1 is revoked.",
        "The repeal of rule 1 does not affect a licence.",
        "Repealing rule 1 does not affect a licence.",
        "The Authority must consider: (a) repealing rule 1 would harm trade; (b) its cost.",
        "Rule 1 is renumbered as rule 4.",
        "Rule 1 is redesignated as rule 1(1).",
        "If a tug sinks, rule 1 is suspended.",
        "Compliance with rule 1 is not required until the tug is registered.",
        "Rule 1 will be replaced when time allows.",
        "If the fee in rule 1 is increased to £20, the tug must pay it.",
        "The Authority may direct that the fee in rule 1 is increased to £20.",
        "Inserting “large” before “tug” in rule 1 was proposed.",
        "Replace “two” in rule 1 with caution.",
        "Rule 1 applies until 1 March 2020 to a ferry.",
        "The duty in rule 1 applies until 1 March 2020.",
        "The effect of rule 1 is that a tug must stop.",
        "If the operation of rule 1 is suspended from 1 May 2020, a tug must stop.",
        "The Minister may direct that the operation of rule 1 is suspended until 1 May 2030.",
        "The number of tugs in rule 1 has been increased to meet demand.",
    ],
)
def test_what_ends_no_rule_changes_nothing(text: str) -> None:
    assert changes_read([TUG, text]) == ()


def test_a_new_rule_is_stated_without_the_mark_that_closes_its_quotation() -> None:
    change = "The Harbour Rules are amended by substituting for rule 1 the following: “1. A tug must stop.”"
    assert as_read(TUG, change).splitlines()[0] == "- A tug must stop. [P2][P1]"


def test_an_inch_is_no_quotation_mark() -> None:
    text = 'A pipe 6" wide is banned. Rule 1 is revoked. A pipe 4" wide is allowed.'
    assert [each.of for each in changes_read([TUG, text])] == ["p1"]


def test_an_imperative_after_a_quotation_is_read() -> None:
    text = "(1) After rule 2 insert: “2A. A master must sign.” (2) Omit rule 1."
    assert [each.of for each in changes_read([TUG, text])] == ["p1"]


@pytest.mark.parametrize(
    "text",
    [
        "An application under rule 1 is suspended until the fee is paid.",
        "A requirement under rule 1 is waived on payment of a fee.",
        "The requirements of rule 1 are waived from time to time by notice.",
        "The requirement under rule 1 is suspended on Sundays.",
        "The functions of the Board include: (a) the revocation of rule 1 permits; (b) the setting of fees.",
        "The Board must consult before: (a) repealing rule 1; (b) raising fees.",
        "The Board must consult before: (a) raising fees; (b) repealing rule 1.",
        "The clerk keeps a record of: (a) the repeal of rule 1; (b) fees.",
        "Consultation on the following is open: the repeal of rule 1; new fees.",
        "Subject to ratification by the Council, rule 1 will be repealed on 1 May 2023.",
        "A copy of rule 1 is section 5 of the manual and may be replaced.",
        "The log under rule 1 becomes section 2 of the book and may be amended.",
    ],
)
def test_what_only_resembles_a_change_is_stated_as_it_stands(text: str) -> None:
    assert changes_read(["A pilot must rest for six hours.", "A master must keep six logs.", text]) == ()
