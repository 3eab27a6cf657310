"""Changes to what documents are called."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulerank.errors import InputError
from rulerank.upkeep import read_changes
from rulerank.upkeep.unread import unread
from tests.upkeep.conftest import Write, make_book


def test_a_name_of_another_document_is_told(write: Write) -> None:
    book = replace(make_book(), references=None)
    changes = read_changes(
        write({"op": "name", "document_id": "fees", "names": ["quay rules"]}), book.passages
    )
    (told,) = unread(changes, book, changes.applied(book))
    assert told.startswith("also the names of other documents: quay rules.")
    with pytest.raises(InputError, match="names"):
        read_changes(write({"op": "name", "document_id": "fees", "names": ["A\nB"]}), book.passages)


def test_named_documents_have_these_names_whether_old_new_or_still_to_come(write: Write) -> None:
    book = replace(make_book(), references=None)
    path = write(
        {"op": "name", "document_id": "cranes", "names": ["CRA", "Crane Rules"]},
        {"op": "name", "document_id": "fees", "names": ["Tolls"]},
        {"op": "name", "document_id": "lamps", "names": ["Lamp Rules"]},
        {"op": "add", "passage_id": "n1", "document_id": "cranes", "text": "One."},
        {"op": "add", "passage_id": "n2", "document_id": "tugs", "text": "Two."},
    )
    changes = read_changes(path, book.passages)
    after = changes.applied(book)
    assert changes.counts == {"added": 2, "amended": 0, "withdrawn": 0, "named": 3}
    assert after.documents.rows() == [
        ("quay", "Quay Rules", ["QUA", "Quay Rules"]),
        ("fees", "Tolls", ["Tolls"]),
        ("cranes", "Crane Rules", ["CRA", "Crane Rules"]),
        ("tugs", "Tug Rules", ["Tug Rules"]),
    ]
    assert after.names["lamps"] == ["Lamp Rules"]
    assert [each.split(".")[0] for each in unread(changes, book, after)] == [
        "named, but without a passage: lamps"
    ]


def test_document_that_comes_back_has_its_names(write: Write) -> None:
    book = make_book()
    gone = read_changes(write(*({"op": "withdraw", "passage_id": f"f{n}"} for n in (1, 2, 3))), book.passages)
    left = gone.applied(book)
    added = {"op": "add", "passage_id": "f1", "document_id": "fees", "text": "One."}
    back = read_changes(write(added), left.passages).applied(left)
    assert back.documents.rows() == book.documents.rows()


def test_document_is_named_once(write: Write) -> None:
    name = {"op": "name", "document_id": "q1", "names": []}
    path = write({"op": "withdraw", "passage_id": "q1"}, name, name)
    with pytest.raises(
        InputError, match=r":3: expected one change of each document, found q1 also on line 2"
    ):
        read_changes(path, make_book().passages)
