"""Amendments that leave it to a lead-in which document they amend."""

from __future__ import annotations

import time

import pytest

from tests.graph.citations.amended import LEAD, NAMES, RULES, SUBSTITUTE


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Beside it, until a rule of another document is amended.
        (
            [("2", LEAD), ("3", SUBSTITUTE), ("4", "Rule 2 is revoked.")],
            [("am:3", "h:1"), ("am:4", "h:2")],
        ),
        (
            [("2", LEAD), ("3", "Rule 1 of the Tug Rules 2016 is revoked."), ("4", "Rule 2 is revoked.")],
            [("am:3", "t:1")],
        ),
        (
            [("2", LEAD), ("3", "The Tug Rules 2016 are amended as follows."), ("4", "Rule 1 is revoked.")],
            [("am:4", "t:1")],
        ),
        # Beneath it.
        (
            [("2", LEAD), ("2(1)", SUBSTITUTE), ("3", "Rule 1 is revoked.")],
            [("am:2(1)", "h:1"), ("am:3", "am:1")],
        ),
        (
            [("2", "In the Harbour Rules 2018—"), ("2(a)", f"(a) {SUBSTITUTE[:-1].lower()};")],
            [("am:2(a)", "h:1")],
        ),
        (
            [("2(1)", LEAD), ("2(2)", f"(2) {SUBSTITUTE}"), ("2(3)", "(3) Omit rule 2.")],
            [("am:2(2)", "h:1"), ("am:2(3)", "h:2")],
        ),
        # In its own passage, and only there.
        ([("2", f"{LEAD} {SUBSTITUTE}"), ("3", "Rule 1 is revoked.")], [("am:2", "h:1"), ("am:3", "am:1")]),
        ([("2", "The Harbour Rules 2018 (as made) are amended: omit rule 2.")], [("am:2", "h:2")]),
        # The corpus lacks the document, or rule 7 of it.
        ([("2", "The Sea Rules 1990 are amended as follows."), ("3", SUBSTITUTE)], []),
        ([("2", LEAD), ("3", "Rule 7 is revoked.")], []),
        # It names its own.
        ([("2", LEAD), ("3", "Rule 1 of these Rules is revoked.")], [("am:3", "am:1")]),
        # It announces nothing.
        ([("2", "The Harbour Rules 2018 are amended by Schedule 1."), ("3", SUBSTITUTE)], [("am:3", "am:1")]),
    ],
)
def test_what_is_amended_is_counted_in_what_was_announced(superseded, rows, expected) -> None:
    assert superseded(*rows) == expected


def test_what_is_only_cited_is_the_document_s_own(reading) -> None:
    table = [*RULES, ("am", "1", "A fee."), ("am", "2", LEAD), ("am", "3", "The fee under rule 1 is due.")]
    edges = reading("english_rulebook", table, NAMES).edges
    assert edges.select("source_id", "target_id", "type").rows() == [("am:3", "am:1", "REFERENCES")]


@pytest.mark.parametrize("piece", [f"{LEAD} In rule 1, omit “x”. ", "In the A B: ", "The Foo Bar "])
def test_a_long_text_is_read_in_linear_time(reading, piece: str) -> None:
    start = time.process_time()
    reading("english_rulebook", [*RULES, ("am", "1", piece * 3_000)], NAMES)
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # The section that a lead-in names, for passages that name none.
        (
            [
                ("2", LEAD),
                ("2(1)", "(1) Rule 1 is amended as follows."),
                ("2(2)", "(2) For “a” substitute “b”."),
            ],
            [("am:2(1)", "h:1"), ("am:2(2)", "h:1")],
        ),
        (
            [
                ("2", "In rule 2 of the Harbour Rules 2018—"),
                ("2(a)", "(a) in paragraph (1), for “a” substitute “b”;"),
                ("2(b)", "(b) omit paragraph (2)."),
            ],
            [("am:2(a)", "h:2"), ("am:2(b)", "h:2")],
        ),
        (
            [("2", "Rule 1 of the Harbour Rules 2018 is amended as follows: (a) paragraph 2 is deleted.")],
            [("am:2", "h:1")],
        ),
        (
            [
                (
                    "2",
                    "Rule 1 of the Harbour Rules 2018 is amended: omit section 2 and the Schedule.",
                )
            ],
            [("am:2", "h:1"), ("am:2", "h:2")],
        ),
        (
            [
                ("2", "In rule 1 of the Harbour Rules 2018—"),
                ("2(a)", "(a) paragraph 2 is deleted;"),
                ("2(b)", "(b) for “a” substitute “b”."),
            ],
            [("am:2(a)", "h:1"), ("am:2(b)", "h:1")],
        ),
        # Until another rule is amended.
        (
            [
                ("2", LEAD),
                ("3", "Rule 1 is amended as follows."),
                ("4", "Rule 2 is revoked."),
                ("5", "For “a” substitute “b”."),
            ],
            [("am:3", "h:1"), ("am:4", "h:2")],
        ),
        # Nothing is amended.
        ([("2", "In rule 2 of the Harbour Rules 2018—"), ("2(a)", "(a) a tug is a ship.")], []),
        # Which of two documents is not said, unless one alone has the rule.
        (
            [
                ("2", "The Harbour Rules 2018 and the Tug Rules 2016 are amended as follows."),
                ("3", "Rule 1 is revoked."),
                ("4", "Rule 2 is revoked."),
            ],
            [("am:4", "h:2")],
        ),
        (
            [
                ("2", "The Harbour Rules 2018 and the Sea Rules 1990 are amended as follows."),
                ("3", "Omit rule 2."),
            ],
            [],
        ),
        # In a schedule.
        (
            [
                ("2", "The Harbour Rules 2018 are amended in accordance with the Schedule."),
                ("3", "Rule 1 is revoked."),
                ("Schedule.1", SUBSTITUTE),
                ("Schedule.2", "Rule 1 of the Tug Rules 2016 is revoked."),
                ("Schedule.3", "Omit rule 2."),
            ],
            [("am:3", "am:1"), ("am:Schedule.1", "h:1"), ("am:Schedule.2", "t:1"), ("am:Schedule.3", "h:2")],
        ),
        (
            [
                ("2", "The Harbour Rules 2018 are amended as set out in Schedule 2."),
                ("Schedule 1", "Rule 1 is revoked."),
                ("Schedule 2", "Omit rule 1."),
            ],
            [("am:Schedule 1", "am:1"), ("am:Schedule 2", "h:1")],
        ),
        # In the words of the lead-in itself.
        ([("2", "The Harbour Rules 2018 are amended by deleting rule 2.")], [("am:2", "h:2")]),
        (
            [("2", "The Harbour Rules 2018 are amended by adding “a” at the end of rule 2.")],
            [("am:2", "h:2")],
        ),
        ([("2", "The Harbour Rules 2018 are amended by inserting after rule 2 the following: “2A. A.”")], []),
        ([("2", "The Harbour Rules 2018 are amended in rule 2 by omitting “a”.")], [("am:2", "h:2")]),
    ],
)
def test_lead_in_says_which_rule_is_amended(superseded, rows, expected) -> None:
    assert superseded(*rows) == expected


@pytest.mark.parametrize(
    "texts",
    [
        ["In the Tug Rules, omit rule 2."],
        ["In the Tug Rules, in rule 2, for “two” substitute “three”."],
        ["In the Tug Rules, for rule 2 substitute— “2. A tug must stop.”"],
        ["In the Tug Rules— (a) omit rule 2; (b) omit rule 9."],
        ["In the Tug Rules,—", "(i) rule 2 shall be omitted."],
        ["In the Tug Rules, omit rule 9; and omit rule 2."],
        ["In the Tug Rules, for rule 9 substitute— “9. A tug must stop.”; and omit rule 2."],
        ["In the Tug Rules, (a) omit rule 9; (b) omit rule 2."],
        ["The Tug Rules are amended in rule 9 by deleting “two”. In rule 2, for “two” substitute “six”."],
        ["The Tug Rules are amended by deleting rule 9. Rule 2 is deleted."],
        ["The Tug Rules are amended in accordance with rules 4 to 5.", "Omit rule 2."],
        ["The Tug Rules are amended as provided in this Part.", "Omit rule 2."],
        ["The Tug Rules are amended by this rule.", "Omit rule 2."],
        ["(1) The Tug Rules are amended in accordance with paragraphs (2) and (3). (2) Omit rule 2."],
        ["(1) The Tug Rules have effect subject to the following amendments. (2) Omit rule 2."],
        ["Amend the Tug Rules as follows:", "Omit rule 2."],
        ["The following provisions of the Tug Rules are revoked— (a) rule 2; (b) rule 9."],
        ["The Tug Rules are amended by the deletion of rule 2."],
    ],
)
def test_a_rule_is_that_of_the_document_that_the_lead_in_names(reading, texts: list[str]) -> None:
    rows = [
        ("t", "1", "A tug must carry one bell."),
        ("t", "2", "A tug must carry two bells."),
        ("n", "1", "These Rules may be cited."),
        ("n", "2", "A form must be signed."),
        *(("n", str(place), text) for place, text in enumerate(texts, start=3)),
    ]
    edges = reading("english_rulebook", rows, {"t": ["Tug Rules"], "n": ["Night Rules"]}).edges
    assert edges.filter(type="SUPERSEDES")["target_id"].to_list() == ["t:2"]


@pytest.mark.parametrize(
    "text",
    [
        "In the Tug Rules, a tug includes a barge. Rule 1 is revoked.",
        "In the Tug Rules, omit rule 9. In these Rules, omit rule 1.",
    ],
)
def test_a_document_in_one_sentence_is_not_that_of_the_next(reading, text: str) -> None:
    rows = [("t", "1", "A tug must stop."), ("n", "1", "A form must be signed."), ("n", "2", text)]
    edges = reading("english_rulebook", rows, {"t": ["Tug Rules"], "n": ["Night Rules"]}).edges
    assert edges.filter(type="SUPERSEDES")["target_id"].to_list() == ["n:1"]


def test_the_past_of_a_document_is_no_lead_in(reading) -> None:
    rows = [
        ("t", "1", "A tug must carry one bell."),
        ("n", "1", "The Tug Rules are amended by rule 4 of the Sea Rules."),
        ("n", "2", "Rule 1 is revoked."),
    ]
    edges = reading("english_rulebook", rows, {"t": ["Tug Rules"], "n": ["Night Rules"]}).edges
    assert edges.filter(type="SUPERSEDES")["target_id"].to_list() == ["n:1"]


@pytest.mark.parametrize(
    "lead",
    [
        "The Harbour Rules 2018 (in these Rules referred to as “the principal Rules”) are amended.",
        "In these Rules, “the principal Rules” means the Harbour Rules 2018.",
        "The Harbour Rules 2018 (the principal Rules) are amended by these Rules.",
        "The Harbour Rules 2018 are referred to in these Rules as the principal Rules.",
        # By the title of the amending document.
        "These Rules amend other Rules.",
    ],
)
def test_the_principal_rules_are_those_that_the_document_says(superseded, lead: str) -> None:
    read = superseded(("2", lead), ("3", "Rule 2 of the principal Rules is revoked."))
    assert read == [("am:3", "h:2")]


def test_the_principal_rules_of_a_text_come_before_those_of_the_title(superseded) -> None:
    lead = "In these Rules, “the principal Rules” means the Tug Rules 2016."
    assert superseded(("2", lead), ("3", "Rule 1 of the principal Rules is revoked.")) == [("am:3", "t:1")]


def test_another_kind_of_principal_document_is_not_known(superseded) -> None:
    assert superseded(("3", "Section 2 of the principal Act is repealed.")) == []
