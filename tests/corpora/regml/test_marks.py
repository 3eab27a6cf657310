import pytest

from rulerank.corpora.regml.marks import comment_of, read_marks


def test_marks_of_paragraphs_and_comments(regulation) -> None:
    marks = read_marks(regulation() / "2001" / "2020-1.xml")
    assert marks.definitions.rows() == [("2001-2-b", "ticket")]
    assert marks.uses.rows()[0] == ("2001-2-a-1", "2001-2-b", "ticket")
    assert ("2001-2-a-1", "2001-2-b", "(b)") in marks.citations.rows()
    assert ("2001-2-a-Interp-1-i", "2001-A-1", "A-1") in marks.citations.rows()
    sections = dict(marks.passages.select("passage_id", "section").iter_rows())
    assert sections["2001-2-a-Interp-1-i"] == "Comment 2(a)-1.i"
    assert not [label for label in sections if "Subpart" in label]


def test_mark_within_a_word_has_slipped(regulation) -> None:
    content = (
        '<section label="2001-2"><subject>Tickets</subject><paragraph label="2001-2-a"><content>Rec'
        '<ref target="2001-2" reftype="internal">ipt pr</ref>ovided</content></paragraph></section>'
    )
    assert read_marks(regulation(content=content)).misplaced == {"2001-2-a"}


@pytest.mark.parametrize(
    ("label", "cited"),
    [
        ("1005-6-b-Interp-1-ii", "Comment 6(b)-1.ii"),
        ("1005-6-Interp", "Comment 6"),
        ("1013-A-Interp-4", "Comment A-4"),
    ],
)
def test_comments_are_called_as_they_are_cited(label, cited) -> None:
    assert comment_of(label, label.partition("-")[0]) == cited
