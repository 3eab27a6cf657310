import pytest

from rulerank.graph.citations import load_grammar
from rulerank.graph.citations import references_in as read_references


def references_in(passages, documents):
    return read_references(passages, documents, load_grammar("english_rulebook"))


NAMES = {
    "rules": ["PRT", "Port Rules (PRT)", "Port Rules"],
    "act": ["HARBOUR ACT 2019", "HA"],
    "manual": ["the Manual", "Supervision Manual"],
}
RULES = ["1", "4.3.2", "4.3.3", "4.3.4", "4.3.5", "4.4", "APP4.A4.1", "APP4.A4.2", "4.3.5.(1)"]
ACT = ["Part 1", "Part 1.Chapter 1.", "Part 1.Chapter 1.12.", "Part 1.Chapter 1.12.(1)", "Part 2",
       "Part 2.Chapter 1", "Part 2.Chapter 1.13.", "Schedule 1", "Schedule 1.12."]  # fmt: skip


@pytest.fixture
def cited(passages_of, documents_of):
    """Return what `text` cites, if it is at `section` of `document`."""

    def read(text, document="rules", section="9"):
        rows = [(document, section, text)]
        rows += [("rules", s, "") for s in RULES] + [("act", s, "") for s in ACT] + [("manual", "3.1", "")]
        edges = references_in(passages_of(rows), documents_of(NAMES))
        assert set(edges["source_id"]) <= {f"{document}:{section}"}
        return edges["target_id"].to_list()

    return read


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("See Rule 4.3.2.", ["rules:4.3.2"]),
        ("See Rule \u200e4.3.2.", ["rules:4.3.2"]),
        (
            "Rules 4.3.2 to 4.3.5 and 4.4 apply.",
            [f"rules:{n}" for n in ["4.3.2", "4.3.3", "4.3.4", "4.3.5", "4.4"]],
        ),
        ("Rules 4.3.2, 4.3.4 or 4.4", ["rules:4.3.2", "rules:4.3.4", "rules:4.4"]),
        ("Rule 4.3.5(1) and Rule 4.3.2(1)(a)", ["rules:4.3.5.(1)", "rules:4.3.2"]),
        ("section 12 of the Harbour Act", ["act:Part 1.Chapter 1.12."]),
        ("section 12(1) of the HARBOUR ACT 2019", ["act:Part 1.Chapter 1.12.(1)"]),
        ("HA section 13", ["act:Part 2.Chapter 1.13."]),
        ("sections 12 and 13 of the HA", ["act:Part 1.Chapter 1.12.", "act:Part 2.Chapter 1.13."]),
        ("Part 2 of the HA", ["act:Part 2"]),
        ("Chapter 1 of Part 2 of the HA", ["act:Part 2.Chapter 1"]),
        ("paragraph 12 of Schedule 1 of the HA", ["act:Schedule 1.12."]),
        ("paragraph 3.1 of the Manual", ["manual:3.1"]),
        ("section A4.1 of App4 and A4.2", ["rules:APP4.A4.1"]),
        ("within Rule 4.4, 30 days and Chapter 1", ["rules:4.4", "rules:1"]),
        ("the Port Rules (“PRT”) Rule 4.4", ["rules:4.4"]),
        ("Rules 4.3.2 (Pilots), 4.3.4 (Tugs etc.) and 4.4", ["rules:4.3.2", "rules:4.3.4", "rules:4.4"]),
        ("PRT 4.3.2 & 4.4", ["rules:4.3.2", "rules:4.4"]),
        ("Chapter 1 of the Rules", ["rules:1"]),
        ("section 12 (Pilotage dues) of the Harbour Act", ["act:Part 1.Chapter 1.12."]),
        ("section 12 HA", ["act:Part 1.Chapter 1.12."]),
        ("sections 12 and 13 HA", ["act:Part 1.Chapter 1.12.", "act:Part 2.Chapter 1.13."]),
        ("Rule 4.4 HA 13", ["rules:4.4", "act:Part 2.Chapter 1.13."]),
        ("s 12(1) of the Harbour Act", ["act:Part 1.Chapter 1.12.(1)"]),
        ("ss 12 and 13 of the Harbour Act", ["act:Part 1.Chapter 1.12.", "act:Part 2.Chapter 1.13."]),
        ("reg. 4.3.2 and Art 4.4", ["rules:4.3.2", "rules:4.4"]),
        ("subsection (1) of section 12 of the HA", ["act:Part 1.Chapter 1.12.(1)"]),
        ("paragraph (1)(a) of Rule 4.3.5", ["rules:4.3.5.(1)"]),
        ("paragraphs (1) to (3) of Rule 4.3.5 and Rule 4.4", ["rules:4.3.5.(1)", "rules:4.4"]),
        ("section 13 of, and Schedule 1 to, the HA", ["act:Part 2.Chapter 1.13.", "act:Schedule 1"]),
        ("HA, Schedule 1, paragraph 12", ["act:Schedule 1", "act:Schedule 1.12."]),
        ("Schedule 1 (Charges) to the Harbour Act and paragraph 1", ["act:Schedule 1", "rules:1"]),
    ],
)
def test_references_resolve(cited, text, targets) -> None:
    assert cited(text) == targets


@pytest.mark.parametrize(
    "text",
    [
        "Rule 7.7.7",  # no such rule
        "section 12 of the Companies Act",  # a document outside the corpus
        "paragraph 12 of Schedule 1 of the Companies Act",
        "Chapter 1 of the HA",  # two parts have one
        "this Rule 4.4",
        "section 1 (Dues) of the Companies Act",
        "section 1 of the 1998 Act",
        "the tug company's 1",
        "within 4.4 days, or 12 per cent",
        "Rule 9",  # the passage itself
        "",
    ],
)
def test_references_never_guessed(cited, text) -> None:
    assert cited(text) == []


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        ("Part III of the Sea Act", ["Part III"]),
        ("Parts I and III of the Sea Act", ["Part I", "Part III"]),
        ("Parts I to III of the Sea Act", ["Part I", "Part II", "Part III"]),
        ("Annex I to the Sea Act", ["Annex I"]),
        ("the part I play in the Sea Act", []),
    ],
)
def test_divisions_may_have_roman_numbers(reading, text, sections) -> None:
    rows = [
        ("r", "1", text),
        *(("a", each, "") for each in ("Part I", "Part I.1", "Part II", "Part III", "Annex I")),
    ]
    edges = reading("english_rulebook", rows, {"r": ["Log Rules"], "a": ["Sea Act"]}).edges
    assert edges["target_id"].to_list() == [f"a:{each}" for each in sections]


def test_ambiguous_chapter_is_that_of_the_citing_part(cited) -> None:
    assert cited("under Chapter 1", "act", "Part 2.9.") == ["act:Part 2.Chapter 1"]


def test_sections_of_a_statute_are_not_paragraphs_of_its_schedule(cited) -> None:
    assert cited("under section 12", "act", "Schedule 1.2.") == ["act:Part 1.Chapter 1.12."]
    assert cited("under paragraph 12", "act", "Schedule 1.2.") == ["act:Schedule 1.12."]


def test_evidence_is_the_matched_text(passages_of, documents_of) -> None:
    rows = passages_of([("rules", "1", "As section 12 of the Harbour Act says."), ("act", "12", "x")])
    assert references_in(rows, documents_of(NAMES))["evidence"].to_list() == ["section 12 of the Harbour Act"]


def test_duplicate_section_is_cited_once_as_its_first(passages_of, documents_of) -> None:
    rows = passages_of([("rules", "1", "Rule 2 and Rule 2"), ("rules", "2", "x"), ("rules", "2", "y")])
    assert references_in(rows, documents_of(NAMES))["target_id"].to_list() == ["rules:2"]


def test_name_of_two_documents_is_ambiguous_where_both_have_the_section(reading) -> None:
    rows = [
        ("c", "1", "Under CRS section 2 and CRS section 3."),
        ("a", "2", ""),
        ("b", "2", ""),
        ("b", "3", ""),
    ]
    read = reading("english_rulebook", rows, {"a": ["CRS", "Code A"], "b": ["CRS", "Code B"], "c": ["C"]})
    assert read.edges["target_id"].to_list() == ["b:3"]
    assert read.reasons() == {"ambiguous": 1}


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Rule 4.3.5(1) and (2)", ["rules:4.3.5.(1)", "rules:4.3.5"]),
        ("under Rule 4.3.2;\n(1)\tand Rule 4.4", ["rules:4.3.2", "rules:4.4"]),  # an item, no sub-paragraph
        ("Subject to 4.3.2, ships moor.", ["rules:4.3.2"]),
        ("a pier of 4.3.2 metres", []),
        ("section 12 or section 13 of the HA", ["act:Part 1.Chapter 1.12.", "act:Part 2.Chapter 1.13."]),
        ("Chapter 1 of Part 1, and Part 2 of the HA", ["act:Part 1.Chapter 1.", "act:Part 2"]),
        ("paragraph 99 of Schedule 1 of the HA", ["act:Schedule 1"]),  # the closest that is indexed
        ("Rule 4.4 of these Rules", ["rules:4.4"]),
        (
            "section 12 of the HA, and below it section 13",
            ["act:Part 1.Chapter 1.12.", "act:Part 2.Chapter 1.13."],
        ),
        ("By the HA, section 12; see Part 2 of that Act", ["act:Part 1.Chapter 1.12.", "act:Part 2"]),
        ("the Real Property Regulations 2015", []),
    ],
)
def test_references_across_words(cited, text, targets) -> None:
    assert cited(text) == targets


@pytest.mark.parametrize(
    ("definition", "later"),
    [
        ('In the Harbour Act ("HARB") ...', "Under HARB section 12."),
        ('"HARB" means the Harbour Act.', "Under section 12 of HARB."),
        ('The Harbour Act 2019 (the "Principal Law") ...', "Under section 12 of the Principal Law."),
    ],
)
def test_names_are_learnt_from_definitions(reading, definition, later) -> None:
    rows = [("rules", "1", definition), ("rules", "2", later), ("act", "12", "")]
    read = reading("english_rulebook", rows, {"rules": ["PRT"], "act": ["Harbour Act 2019"]})
    assert read.edges.select("source_id", "target_id").rows() == [("rules:2", "act:12")]


def test_learnt_name_that_is_no_code_holds_in_its_document_alone(reading) -> None:
    rows = [
        ("a", "1", 'The Harbour Act (the "Principal Law").'),
        ("b", "1", "Section 12 of the Principal Law."),
        ("act", "12", ""),
    ]
    read = reading("english_rulebook", rows, {"a": ["A1"], "b": ["B1"], "act": ["Harbour Act"]})
    assert read.edges.height == 0
    assert read.reasons() == {"unknown document": 1}


def test_convention_of_a_document_says_whose_sections_are_meant(reading) -> None:
    rows = [("code", "1", "A reference to a section is to a section of the Harbour Act."),
            ("code", "2", "See section 1."), ("act", "1", "")]  # fmt: skip
    read = reading("english_rulebook", rows, {"code": ["Mooring Code"], "act": ["Harbour Act"]})
    assert read.edges.select("source_id", "target_id").rows() == [("code:2", "act:1")]


def test_numbered_paragraph_is_no_section(reading) -> None:
    rows = [("g", "1)", "Section 2 and paragraph 2."), ("g", "2)", "")]
    read = reading("english_rulebook", rows, {"g": ["Mooring Guidance"]})
    assert read.edges["evidence"].to_list() == ["paragraph 2"]
    assert read.reasons() == {"no such section": 1}


def test_repeated_section_is_the_one_that_its_subsections_follow(reading) -> None:
    rows = [("r", "2.1", "Chapter 4"), ("r", "4.", "item"), ("r", "4.", "CHARGES"), ("r", "4.1", "")]
    assert reading("english_rulebook", rows, {"r": ["Rates"]}).edges["target_id"].to_list() == ["r:4.'"]


def test_guidance_on_itself_is_a_mention(reading) -> None:
    rows = [("g", "1)", "See paragraph 2 and MOR Rule 1."), ("g", "2)", ""), ("r", "1", "")]
    read = reading("english_rulebook", rows, {"g": ["Guide"], "r": ["MOR"]}, {"g": 5, "r": 3})
    assert read.edges.select("target_id", "type").rows() == [("g:2)", "MENTIONS"), ("r:1", "REFERENCES")]


def test_that_schedule_is_the_one_cited_before(cited) -> None:
    text = "paragraph 3 of Schedule 1; paragraph 12 of that Schedule (Options)"
    assert cited(text, "act", "Part 9.99.") == ["act:Schedule 1", "act:Schedule 1.12."]
    assert cited("paragraph 12 of that Schedule", "act", "Part 9.99.") == ["act:Part 1.Chapter 1.12."]


@pytest.mark.parametrize(
    "said",
    [
        "any reference to a Rule is a reference to a Rule in the Port Rules.",
        "Where a reference is made to a Rule, such reference is to be read as a reference to a Rule within "
        "the Port Rules.",
        "References to Rules made throughout the Manual are references to Rules in the Port Rules.",
        "In this guidance, references to rules are to rules of the Port Rules.",
    ],
)
def test_convention_in_other_words(reading, said) -> None:
    rows = [("guide", "1", said), ("guide", "2", "See Rule 4.4."), ("guide", "4.4", ""), ("rules", "4.4", "")]
    names = {"rules": ["Port Rules"], "guide": ["Guide"]}
    assert reading("english_rulebook", rows, names).edges["target_id"].to_list() == ["rules:4.4"]


def test_name_with_a_word_in_brackets(reading) -> None:
    rows = [("a", "1", "See section 4 of the Wharves (Winding Up) Rules."), ("a", "4", ""), ("b", "4", "")]
    names = {"a": ["Port Act"], "b": ["Wharves (Winding Up) Rules 2018"]}
    assert reading("english_rulebook", rows, names).edges["target_id"].to_list() == ["b:4"]


def test_rule_of_which_only_paragraphs_are_passages_is_not_sought_elsewhere(reading) -> None:
    rows = [
        ("gen", "1", "The Market Rules apply. See Rule 2.1.2."),
        ("gen", "2.1.2.(1)", ""),
        ("mkt", "2.1.2", ""),
        ("mkt", "3", "Rule 2.1.2 of the Market Rules."),
    ]
    found = reading("english_rulebook", rows, {"gen": ["General Rules"], "mkt": ["Market Rules"]})
    assert found.edges["source_id"].to_list() == ["mkt:3"]
    assert found.reasons() == {"no such section": 1}


def test_paragraph_of_a_schedule_that_a_document_lacks_is_not_that_of_another(reading) -> None:
    rows = [("a", "1", "See paragraph 3 of the Schedule."), ("b", "3", "")]
    assert reading("english_rulebook", rows, {"a": ["Harbour Rules"], "b": ["Tug Rules"]}).edges.is_empty()
