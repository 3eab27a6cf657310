import polars as pl
import pytest

from rulerank.corpora import read_obliqa
from rulerank.errors import InputError

HEADER = "\ufeffSourceID,SourcePassage,ReferenceText,TargetID,TargetPassage\n"


def test_rows_become_reference_edges_with_their_text_as_evidence(folder, write) -> None:
    write(
        "CrossReferenceData.csv",
        HEADER + 'p12,"Two\n\nlines, one cell",Rule 2,p13,"""x"""\np90,a,1.1.1,p12,b\n',
    )

    references = read_obliqa(folder).references

    assert references is not None
    assert references.rows() == [
        ("p12", "p13", "REFERENCES", "Rule 2"),
        ("p90", "p12", "REFERENCES", "1.1.1"),
    ]


def test_rows_of_one_pair_are_merged_in_file_order(folder, write) -> None:
    rows = "p12,,Rule 2,p13,\np12,,the first,p13,\np12,,Rule 2,p13,\n"
    write("CrossReferenceData.csv", HEADER + rows)

    references = read_obliqa(folder).references

    assert references is not None
    assert references.rows() == [("p12", "p13", "REFERENCES", "Rule 2; the first")]


def test_unusable_rows_are_counted_by_reason(folder, write) -> None:
    rows = "p12,,a,,\np13,,a,,\np12,,a,p12,\nold,,a,p12,\np12,,a,old,\n"
    write("CrossReferenceData.csv", HEADER + rows)

    corpus = read_obliqa(folder)

    assert isinstance(corpus.references, pl.DataFrame)
    # Passages of these ids may be added later.
    assert corpus.references.rows() == [("old", "p12", "REFERENCES", "a"), ("p12", "old", "REFERENCES", "a")]
    assert corpus.problems == (
        "CrossReferenceData.csv: 2 rows without a target left out",
        "CrossReferenceData.csv: 1 rows from a passage to itself left out",
        "CrossReferenceData.csv: 1 rows from an unknown passage give no edge",
        "CrossReferenceData.csv: 1 rows to an unknown passage give no edge",
    )


def test_rows_that_cite_no_other_passage_make_no_table(folder, write) -> None:
    write("CrossReferenceData.csv", HEADER + "p12,,a,,\np12,,a,p12,\n")

    assert read_obliqa(folder).references is None


def test_missing_column_is_named(folder, write) -> None:
    write("CrossReferenceData.csv", "SourceID,Target\np12,p13\n")

    with pytest.raises(InputError, match=r"CrossReferenceData\.csv:1: expected column 'ReferenceText'"):
        read_obliqa(folder)


def test_empty_table_lacks_its_columns(folder, write) -> None:
    write("CrossReferenceData.csv", "")

    with pytest.raises(InputError, match="expected column 'SourceID'"):
        read_obliqa(folder)


@pytest.mark.parametrize(
    ("rows", "place", "message"),
    [
        ('p12,a,"Rule 2,p13,b\np90,a,1,p12,b\n', "2:7", "does not: unexpected end of data"),
        ('p90,a,1,p12,b\r\np12,"x\r\ny","Rule "2",p13,b\r\n', "4:4", "does not: ',' expected after '\"'"),
        pytest.param(
            f'p12,a,"{"x" * 140_000},p13,b\n', "2:7", "does not: field larger than field limit", id="long"
        ),
        ("p12,a,Rule 2\n", "2:7", "expected 5 cells as in the header, found 3, none for 'TargetID' after"),
        ("p12,a,Rule 2,p13,b\n\nx\n", "4:1", "found 1, none for 'SourcePassage' after"),
        ("p12,a,Rules 2, 3,p13,b\n", "2:22", "found 6, this one after 'TargetPassage'"),
    ],
)
def test_malformed_record_is_refused_by_line_and_column(folder, write, rows, place, message) -> None:
    write("CrossReferenceData.csv", HEADER + rows)

    with pytest.raises(
        InputError, match=rf"CrossReferenceData\.csv:{place}: malformed CSV: expected "
    ) as refused:
        read_obliqa(folder)

    assert message in str(refused.value)
    assert str(refused.value).endswith(
        (" Correct the quotes of the cell that begins here.", " or quote the cell that holds one.")
    )


def test_line_of_white_space_is_no_record(folder, write) -> None:
    write("CrossReferenceData.csv", HEADER + "p12,a,Rule 2,p13,b\n  \n\n")

    corpus = read_obliqa(folder)

    assert corpus.references is not None
    assert (corpus.references.height, corpus.problems) == (1, ())
