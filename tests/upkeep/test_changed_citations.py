"""Changes to what passages cite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulerank.errors import InputError
from rulerank.upkeep import read_changes
from rulerank.upkeep.unread import unread
from tests.upkeep.conftest import Write, make_book


def test_what_a_change_says_that_a_passage_cites_takes_the_place_of_what_it_cited(write: Write) -> None:
    book = make_book()
    path = write(
        {"op": "add", "passage_id": "n1", "document_id": "quay", "text": "One.", "cites": ["q2", "n1", "q2"]},
        {"op": "amend", "passage_id": "q2", "cites": ["f1", "gone"]},
        {"op": "amend", "passage_id": "f3", "text": "The fee is waived."},
    )
    changes = read_changes(path, book.passages, book.references)
    assert changes.amended["q2"] == {"passage_id": "q2"}
    references = changes.applied(book).references
    assert references is not None
    assert references.rows() == [
        ("q2", "f1", "REFERENCES", ""),
        ("q2", "gone", "REFERENCES", ""),
        ("f3", "n1", "REFERENCES", "the next rule"),
        ("n1", "q2", "REFERENCES", ""),
    ]


def test_list_of_citations_that_is_there_counts_as_no_change(write: Write) -> None:
    book = make_book()
    path = write(
        {"op": "amend", "passage_id": "q2", "cites": ["q3"]},
        {"op": "amend", "passage_id": "q3", "cites": []},
        {"op": "amend", "passage_id": "f3", "cites": None},
    )
    changes = read_changes(path, book.passages, book.references)
    assert (changes.amended.keys(), changes.cites) == ({"f3"}, {"f3": []})
    references = changes.applied(book).references
    assert references is not None
    assert references["source_id"].to_list() == ["q2"]


def test_without_a_list_of_citations_there_is_no_curated_table(write: Write) -> None:
    book = make_book()
    path = write(*({"op": "amend", "passage_id": key, "cites": []} for key in ("q2", "f3")))
    assert read_changes(path, book.passages, book.references).applied(book).references is None
    added = {"op": "add", "passage_id": "n1", "document_id": "quay", "text": "One.", "cites": ["q2"]}
    unlisted = replace(book, references=None)
    references = read_changes(write(added), book.passages).applied(unlisted).references
    assert references is not None
    assert references.rows() == [("n1", "q2", "REFERENCES", "")]


def test_citations_that_are_not_read_are_told(write: Write) -> None:
    book = make_book()
    one = {"op": "add", "document_id": "quay", "text": "See Rule 1."}
    path = write(
        {**one, "passage_id": "n1"},
        {**one, "passage_id": "n2", "cites": ["q2", "q22"]},
        {**one, "passage_id": "n3", "text": ""},
        {"op": "amend", "passage_id": "q2", "text": "See Rule 2."},
        {"op": "amend", "passage_id": "q3", "tier": 1},
    )
    for before, said in (
        (book, ["cited, but not in the corpus: q22", "of q2, n1 are read for what they change, but not"]),
        (
            replace(book, references=None),
            [
                "not in the corpus: q22",
                "no longer read from any",
                "of q2, n1 are read for what they change, but not",
            ],
        ),
    ):
        changes = read_changes(path, before.passages, before.references)
        told = list(unread(changes, before, changes.applied(before)))
        assert len(told) == len(said)
        assert all(part in each for part, each in zip(said, told, strict=True))
    silent = read_changes(write({**one, "passage_id": "n1"}), book.passages)
    unlisted = replace(book, references=None)
    assert list(unread(silent, unlisted, silent.applied(unlisted))) == []
    # If citations are read from texts, neither side has curated ones.
    stated = read_changes(write({**one, "passage_id": "n1", "cites": ["q2"]}), book.passages)
    (told,) = unread(stated, unlisted, replace(stated.applied(unlisted), references=None))
    assert told.startswith("cites is not used")


def test_citations_of_unknown_passages_alone_are_refused(write: Write) -> None:
    book = make_book()
    one = {"op": "add", "passage_id": "n1", "document_id": "quay", "text": "See Rule 1."}
    path = write({**one, "cites": ["nope"]})
    with pytest.raises(InputError, match="expected ids of passages in cites, found none of the corpus: nope"):
        read_changes(path, book.passages)
    assert read_changes(write({**one, "cites": ["n1"]}), book.passages).cites == {"n1": []}
