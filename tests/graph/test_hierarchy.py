import pytest

from rulerank.graph.hierarchy import contains, parent_of
from rulerank.graph.sections import parse


def pairs(edges):
    return [(source, target) for source, target, *_ in edges.iter_rows()]


@pytest.mark.parametrize(
    ("section", "path"),
    [
        ("4.7.14", ("4", "7", "14")),
        ("2.6.1.(a)", ("2", "6", "1", "(a)")),
        ("APP11.A11.2.Guidance.9.", ("app11", "a11", "2", "guidance", "9")),
        ("Appendix 4.A4.2.12(1)", ("app4", "a4", "2", "12", "(1)")),
        ("Part 3.Chapter 2.10.(5)", ("part3", "chapter2", "10", "(5)")),
        ("93)", ("93",)),
        ("166).d)", ("166", "d")),
        ("\u200e3.1.", ("3", "1")),
        ("APP7.APP7", ("app7",)),
        ("3.3", ("3", "3")),
        ("", ()),
        ("제3조.제2항", ("제3조", "제2항")),
    ],
)
def test_parse_cuts_at_dots_and_brackets(section, path) -> None:
    assert parse(section) == path


def test_parent_is_closest_existing_ancestor(passages_of) -> None:
    rows = passages_of([("D", s, "x") for s in ["2.", "2.4.4", "2.4.4.(b)", "2.4.4.Undertakings.Guidance.1"]])
    assert pairs(parent_of(rows)) == [
        ("D:2.", "D:2.4.4"),
        ("D:2.4.4", "D:2.4.4.(b)"),
        ("D:2.4.4", "D:2.4.4.Undertakings.Guidance.1"),
    ]


def test_parent_of_appendix_part_and_heading_given_twice(passages_of) -> None:
    rows = passages_of([("D", s, "x") for s in ["APP7.APP7", "APP7.A7.2", "PART 2", "Part 2.Chapter 1.5."]])
    assert pairs(parent_of(rows)) == [("D:APP7.APP7", "D:APP7.A7.2"), ("D:PART 2", "D:Part 2.Chapter 1.5.")]


def test_parent_never_crosses_documents_and_orphans_have_none(passages_of) -> None:
    rows = passages_of([("D", "3", "x"), ("E", "3.1", "x")])
    assert parent_of(rows).height == 0


def test_duplicate_section_that_its_subsections_follow_is_the_parent(passages_of) -> None:
    rows = passages_of([("D", "1", "x"), ("D", "1", "y"), ("D", "1.1", "z")])
    shuffled = rows[[2, 1, 0]]
    assert pairs(parent_of(shuffled)) == [("D:1'", "D:1.1")]


def test_passages_of_another_document_between_a_section_and_its_subsections_change_nothing(
    passages_of,
) -> None:
    rows = passages_of(
        [
            ("D", "1", "x"),
            ("D", "1", "y"),
            ("D", "1.1", "z"),
            ("E", "7", "x"),
            ("E", "8", "y"),
            ("E", "9", "z"),
        ]
    )
    assert pairs(parent_of(rows)) == [("D:1'", "D:1.1")]


def test_contains_leads_from_the_document_to_every_passage(passages_of) -> None:
    edges = contains(passages_of([("D", "1", "x"), ("E", "1", "y")]))
    assert pairs(edges) == [("document:D", "D:1"), ("document:E", "E:1")]
