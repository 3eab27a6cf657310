import os
from datetime import date
from pathlib import Path

import polars as pl
import pytest

from rulerank.corpora import read_corpus
from rulerank.errors import InputError
from rulerank.graph.hierarchy import parent_of
from tests.corpora.regml.conftest import CONTENT


def test_paragraphs_with_text_are_passages_and_all_else_is_a_heading(regulation) -> None:
    passages = read_corpus(regulation()).passages
    assert passages.select("passage_id", "section", "title", "text", "kind").rows() == [
        ("2001-Subpart-A", "Subpart A", "General", "", "heading"),
        ("2001-2", "2001.2", "§ 2001.2 Tickets.", "", "heading"),
        ("2001-2-p1", "2001.2(p1)", "", "These rules are about tickets.", "rule"),
        ("2001-2-a", "2001.2(a)", "Refunds.", "", "heading"),
        (
            "2001-2-a-1",
            "2001.2(a)(1)",
            "",
            "An operator must refund a ticket under paragraph (b) of this section.",
            "rule",
        ),
        (
            "2001-2-b",
            "2001.2(b)",
            "Ticket.",
            "Ticket. “Ticket” means a right to travel. See § 2001.2(a), § 2001.2(b) and § 2001.99.",
            "rule",
        ),
        ("2001-A", "Appendix A", "Appendix A to Part 2001—Forms", "", "heading"),
        ("2001-A-1", "Appendix A.1", "A-1—Refund form", "", "heading"),
        ("2001-A-1-p1", "Appendix A.1(p1)", "", "Please refund my fare.", "rule"),
        ("2001-A-1-p2", "Appendix A.1(p2)", "", "", "heading"),
    ]
    assert passages["effective_from"].unique().to_list() == [date(2020, 1, 1)]


def test_sections_give_the_hierarchy(regulation) -> None:
    edges = parent_of(read_corpus(regulation()).passages)
    assert set(edges.select("source_id", "target_id").rows()) == {
        ("2001-2", "2001-2-p1"),
        ("2001-2", "2001-2-a"),
        ("2001-2-a", "2001-2-a-1"),
        ("2001-2", "2001-2-b"),
        ("2001-A", "2001-A-1"),
        ("2001-A-1", "2001-A-1-p1"),
        ("2001-A-1", "2001-A-1-p2"),
    }


def test_document_is_called_by_title_letter_and_citation(regulation) -> None:
    names = ["Ferry Services (Regulation Q)", "Regulation Q", "12 CFR Part 2001"]
    assert read_corpus(regulation()).documents.rows() == [("2001", names[0], names)]


def test_references_within_the_corpus_are_the_curated_table(regulation) -> None:
    corpus = read_corpus(regulation())
    assert corpus.references.rows() == [
        ("2001-2-a-1", "2001-2-b", "REFERENCES", "(b)"),
        ("2001-2-b", "2001-2-a", "REFERENCES", "2001.2(a)"),
        ("2001-2-b", "2001-99", "REFERENCES", "2001.99"),
    ]
    assert [each.partition(": ")[2] for each in corpus.problems[-2:]] == [
        "1 rows from a passage to itself left out",
        "1 rows to an unknown passage give no edge",
    ]


def test_comments_are_questions_about_the_paragraph_that_they_explain(regulation) -> None:
    corpus = read_corpus(regulation())
    assert corpus.queries.select("query_id", "text", "split", "collection").rows() == [
        (
            "2001-2-a-Interp-1",
            "Storms. A storm does not end the duty to refund a ticket. The operator may offer another day.",
            "train",
            "Regulation Q",
        ),
        ("2001-2-b-Interp-1", "A pass is a ticket.", "train", "Regulation Q"),
    ]
    # 2001.2(a) has no text: the first paragraph below it states it. The citations of an item count too.
    assert corpus.judgements.rows() == [
        ("2001-2-a-Interp-1", "2001-2-a-1", 2),
        ("2001-2-a-Interp-1", "2001-2-b", 1),
        ("2001-2-a-Interp-1", "2001-A-1-p1", 1),
        ("2001-2-b-Interp-1", "2001-2-b", 2),
    ]
    assert corpus.problems[:2] == (
        "2020-1.xml: 1 comments on no paragraph of the corpus left out",
        "2020-1.xml: 1 comments without a sentence left out",
    )


def test_version_that_took_effect_last_is_read(regulation) -> None:
    section = '<section label="{0}-1"><paragraph label="{0}-1-a"><content>{1}</content></paragraph></section>'
    regulation("2021-9", section.format(2001, "Old."), effective="2020-01-01")
    regulation("2019-1", section.format(2001, "New."), effective="2021-01-01")
    newest = section.format(2001, "Newest.")
    regulation("2019-2", newest, effective="2021-01-01", published="2020-06-01")
    root = regulation("2000-1", section.format(900, "Other."), part="900")
    passages = read_corpus(root).passages
    assert passages["text"].to_list() == ["", "Other.", "", "Newest."]
    assert passages["document_id"].unique(maintain_order=True).to_list() == ["900", "2001"]


def test_paragraph_without_a_label_is_called_by_its_place(regulation) -> None:
    content = (
        '<section label="2001-1"><subject/><paragraph><content>Unlabelled.</content></paragraph></section>'
    )
    passages = read_corpus(regulation(content=content)).passages
    assert passages["passage_id"].to_list() == ["2001-1", "2001-1-p1"]


def test_repeated_label_is_refused_where_it_stands(regulation) -> None:
    root = regulation(content='<section label="2001-1"/>\n<section label="2001-1"/>')
    with pytest.raises(InputError, match=r"2020-1\.xml:10:1: expected each label once, found 2001-1 twice"):
        read_corpus(root)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "<effectiveDate>2020-01-01</effectiveDate>",
            "",
            "expected an effectiveDate such as 2018-01-01, found none",
        ),
        ("2020-01-01</eff", "soon</eff", r"7:5: expected an effectiveDate such as 2018-01-01, found soon"),
        ('<part label="2001">', "<part>", "expected an element part with a label, found none"),
        ('xmlns="eregs"', 'xmlns="akn"', "expected the element regulation of RegML"),
    ],
)
def test_xml_that_is_no_regulation_is_refused(regulation, old, new, message) -> None:
    path = regulation() / "2001" / "2020-1.xml"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_corpus(path.parents[1])


def test_regml_has_no_recut(regulation) -> None:
    with pytest.raises(InputError, match="found RegML"):
        read_corpus(regulation(), "recut")


@pytest.mark.real
def test_three_published_regulations() -> None:
    root = Path(os.environ.get("RULERANK_EREGS", ""))
    if not (root / "1005").is_dir():
        pytest.skip("set RULERANK_EREGS to a folder with the regulations 1002, 1005 and 1013 in RegML")
    corpus = read_corpus(root)
    with_text = corpus.passages.filter(pl.col("text") != "").group_by("document_id").len().sort("document_id")
    assert with_text.rows() == [("1002", 470), ("1005", 635), ("1013", 127)]
    questions = corpus.queries.group_by("collection").len().sort("collection")
    assert questions.rows() == [("Regulation B", 199), ("Regulation E", 458), ("Regulation M", 126)]
    # Every citation between paragraphs leads to a passage; those of a paragraph to itself are counted.
    assert corpus.references.height == 494
    assert corpus.problems[-1].endswith(": 12 rows from a passage to itself left out")
    assert not any("unknown passage" in each for each in corpus.problems)
    # No question gives its answer's citation away.
    assert (
        not corpus.queries["text"].str.contains(r"§|\b10(?:02|05|13)\.\d|[Cc]omment \d|[Pp]aragraph \(").any()
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '"2001-2-b-Interp-1"',
            '"2001-2-a-Interp-1"',
            "expected each label once, found 2001-2-a-Interp-1 twice",
        ),
        ('label="2001-2-b-Interp-1"', "", "label: expected an id without white space"),
        ('"2001-2-p1"', '"2001-2 p1"', "label: expected an id without white space"),
        ('"2001-2-p1"', '"term:p1"', "label: expected an id that begins with none of"),
    ],
)
def test_label_that_cannot_be_an_id_of_its_own_is_refused_where_it_stands(regulation, old, new, said) -> None:
    assert old in CONTENT
    with pytest.raises(InputError, match=rf"2020-1\.xml:\d+:\d+: {said}"):
        read_corpus(regulation(content=CONTENT.replace(old, new)))


def test_ending_of_a_file_may_be_in_capitals_and_hidden_files_are_not_read(regulation) -> None:
    root = regulation("2018-1", effective="2018-01-01")
    (root / "2001/2018-1.xml").rename(root / "2001/2018-1.XML")
    regulation(".2020-1")
    assert read_corpus(root).passages["effective_from"].unique().to_list() == [date(2018, 1, 1)]
