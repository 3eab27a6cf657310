import pytest

NAMES = {"A": ["45 CFR Part 164"], "B": ["45 CFR Part 160"]}
SECTIONS = ["164.302", "164.306", "164.306(a)", "164.308", "164.308(a)(1)", "164.310", "Form 77"]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Comply with § 164.308(a)(1)(ii).", ["A:164.308(a)(1)"]),
        ("45 CFR 164.308(a)(1)(ii)", ["A:164.308(a)(1)"]),
        ("§ 164.302 and 45 CFR 160.103", ["A:164.302", "B:160.103"]),
        ("§§ 164.302 through 164.310", ["A:164.302", "A:164.306", "A:164.308", "A:164.310"]),
        ("§§ 164.302-164.310", ["A:164.302", "A:164.306", "A:164.308", "A:164.310"]),
        ("paragraph (a) of this section", ["A:164.306(a)"]),
        ("45 CFR part 160", ["B:Part 160"]),
        ("Submit Form 77.", ["A:Form 77"]),
        ("42 CFR 164.302", []),
        ("section 1171 of the Act", []),
    ],
)
def test_references(reading, text, targets) -> None:
    rows = [("A", "164.306(b)", text), *(("A", section, "") for section in SECTIONS)]
    rows += [("B", "Part 160", ""), ("B", "160.103", "")]
    assert reading("us_cfr", rows, NAMES).edges["target_id"].to_list() == targets


PARAGRAPHS = [
    *("7.1", "7.1(a)", "7.1(a)(1)", "7.1(a)(2)", "7.1(b)", "7.1(b)(1)", "7.1(b)(1)(i)", "7.1(b)(1)(ii)"),
    *("7.1(b)(1)(ii)(A)", "7.1(c)", "7.1(c)(2)", "7.1(h)", "7.1(i)", "7.2", "7.2(a)", "7.2(b)"),
    *("Appendix A", "Appendix A.3", "Appendix A.3(a)", "Appendix A.4", "Comment 6(b)-1.ii"),
]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("paragraphs (a)(1) and (2) of this section", ["7.1(a)(1)", "7.1(a)(2)"]),
        ("except as provided in paragraph (c)(2) of this section", ["7.1(c)(2)"]),
        ("paragraphs (a), (b)(1) and (c) of this section", ["7.1(a)", "7.1(b)(1)", "7.1(c)"]),
        ("paragraph (b)(1)(i) or (ii) of this section", ["7.1(b)(1)(i)", "7.1(b)(1)(ii)"]),
        ("paragraph (b)(1)(ii)(A) of this section", ["7.1(b)(1)(ii)(A)"]),
        ("paragraphs (h) and (i) of this section", ["7.1(h)", "7.1(i)"]),
        ("under this paragraph (b)(1)", ["7.1(b)(1)"]),
        ("§ 7.1(b)(1)(i)-(ii)", ["7.1(b)(1)(i)", "7.1(b)(1)(ii)"]),
        ("paragraphs (a) and (b) of § 7.2 of this part", ["7.2(a)", "7.2(b)"]),
        ("Model Form A-3(a) in Appendix A of this part", ["Appendix A.3(a)", "Appendix A"]),
        ("Appendix A-4 or Form A-3", ["Appendix A.4", "Appendix A.3"]),
        ("see comment 6(b)-1.ii", ["Comment 6(b)-1.ii"]),
        ("appendix A to 12 CFR part 9", []),
    ],
)
def test_drafting_of_paragraphs(reading, text, targets) -> None:
    rows = [("7", "7.1(c)(1)", text), *(("7", section, "") for section in PARAGRAPHS)]
    read = reading("us_cfr", rows, {"7": ["Regulation F", "12 CFR Part 7"]})
    assert read.edges["target_id"].to_list() == [f"7:{target}" for target in targets]


PART = ["9.3", "9.3(b)", "9.3(b)(2)", "9.15", "9.15(c)(3)", "9.15(c)(4)"]


@pytest.mark.parametrize(
    ("section", "text", "targets"),
    [
        ("Comment 15(c)-1", "no action is required under paragraph 15(c)(3)", ["9.15(c)(3)"]),
        ("Comment 3(b)(2)-3", "under paragraph (b)(2) of this section", ["9.3(b)(2)"]),
        ("9.15(c)", "paragraphs (c)(3) (Notices) and (c)(4) of this section", ["9.15(c)(3)", "9.15(c)(4)"]),
        ("9.15(c)", "section 3 of the agreement", []),
    ],
)
def test_commentary_leaves_the_number_of_the_part_out(reading, section, text, targets) -> None:
    rows = [("A", section, text), *(("A", each, "") for each in PART)]
    edges = reading("us_cfr", rows, {"A": ["12 CFR Part 9"]}).edges
    assert edges["target_id"].to_list() == [f"A:{each}" for each in targets]


NOTICES = {"7": ["Quays (Regulation Q)", "12 CFR Part 7"], "notice": ["Quays; Final Rule"]}
RULES = [("7", each, "") for each in ("7.1", "7.2(a)", "7.2(b)(1)", "7.2(c)", "7.3", "Appendix A")]


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Amend § 7.1 by adding a sentence at the end.", ["7.1"]),
        ("12 CFR Part 7 is removed.", ["7.1", "7.2(a)", "7.2(b)(1)", "7.2(c)", "7.3", "Appendix A"]),
        ("Appendix A to part 7 is removed and reserved.", ["Appendix A"]),
        ("In § 7.2, remove the word “six” from paragraph (a) and add in its place “ten”.", ["7.2(a)"]),
        ("12 CFR Part 7 is removed except § 7.1.", []),
        ("Strike section 3 of Regulation Q.", []),
        ("Strike section 7.3 of Regulation Q.", ["7.3"]),
        ("Section 7.2 is amended by revising paragraph (b)(1) to read as follows:", ["7.2(b)(1)"]),
        ("In § 7.2, revise paragraph (b)(1) to read as follows:", ["7.2(b)(1)"]),
        ("In § 7.2, paragraph (b)(1) is removed.", ["7.2(b)(1)"]),
        (
            "Section 7.2 is amended by removing paragraph (a) and revising paragraph (c).",
            ["7.2(a)", "7.2(c)"],
        ),
        (
            "1. Amend § 7.2 as follows: a. Remove paragraph (b)(1). b. Revise paragraph (c).",
            ["7.2(b)(1)", "7.2(c)"],
        ),
        (
            "Amend § 7.2 by: a. Removing paragraph (a); and b. Revising paragraph (c) to read:",
            ["7.2(a)", "7.2(c)"],
        ),
        (
            "■ 1. Amend § 7.2 by: ■ a. Revising paragraph (a); and ■ b. Removing paragraph (c).",
            ["7.2(a)", "7.2(c)"],
        ),
        ("In § 7.2, amend paragraph (a) by removing “six” and adding “ten” in its place.", ["7.2(a)"]),
        ("In § 7.2, revise the introductory text of paragraph (c) to read as follows:", ["7.2(c)"]),
        ("Remove §§ 7.1 and 7.3.", ["7.1", "7.3"]),
        ("Redesignate § 7.1 as § 7.9.", []),
    ],
)
def test_notices_amend_the_part_with_whose_number_a_section_begins(reading, text, targets) -> None:
    edges = reading("us_cfr", [*RULES, ("notice", "1", text)], NOTICES).edges
    changed = edges.filter(type="SUPERSEDES")["target_id"].to_list()
    assert changed == [f"7:{each}" for each in targets]


def test_number_of_a_part_that_two_titles_have_is_ambiguous(reading) -> None:
    rows = [*RULES, ("29", "7.1", ""), ("notice", "1", "Remove § 7.1. See § 7.3 and § 9.1.")]
    read = reading("us_cfr", rows, {**NOTICES, "29": ["29 CFR Part 7"]})
    assert read.edges["target_id"].to_list() == ["7:7.3"]
