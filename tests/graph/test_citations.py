import pytest
from rulerank.graph.aliases import document_names

from rulerank.graph.citations import references_in

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
    """Return what `text`, standing at `section` of `document`, cites."""

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
        "within 4.4 days, or 12 per cent",
        "Rule 9",  # the passage itself
        "",
    ],
)
def test_references_never_guessed(cited, text) -> None:
    assert cited(text) == []


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


def test_name_of_two_documents_names_neither(documents_of) -> None:
    assert document_names(documents_of({"a": ["CRS", "Code A"], "b": ["CRS", "Code B"]})) == {
        "code a": "a",
        "code b": "b",
    }
