"""Changes read from JSON Lines: applied to the passages, or refused with their place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.tables import has_text
from rulerank.upkeep import read_changes
from tests.upkeep.conftest import Write, make_book


def _applied(path: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    book = make_book()
    changed = read_changes(path, book.passages).applied(book)
    return changed.passages, changed.documents


def test_amended_passages_keep_their_place_and_what_is_not_named(write: Write) -> None:
    before = make_book().passages
    after, _ = _applied(write({"op": "amend", "passage_id": "q3", "text": "It is void.", "tier": None}))
    row = before["passage_id"].to_list().index("q3")
    expected = {**before.row(row, named=True), "text": "It is void.", "tier": None}
    assert after.row(row, named=True) == expected
    assert after.drop("text", "tier").equals(before.drop("text", "tier"))


def test_amendment_to_what_is_there_counts_as_none(write: Write) -> None:
    passages = make_book().passages
    same = passages.filter(passage_id="q3").select("text", "tier", "section").row(0, named=True)
    path = write(
        {"op": "amend", "passage_id": "q3", **same},
        {"op": "amend", "passage_id": "q2", "text": "It is void."},
    )
    assert read_changes(path, passages).amended.keys() == {"q2"}


def test_changes_to_what_is_there_leave_everything_as_it_is(write: Write) -> None:
    book = make_book()
    nothing = [
        {"op": "amend", "passage_id": "q2", "cites": ["q3"]},
        # A passage without text stays a heading.
        {"op": "amend", "passage_id": "q1", "kind": "guidance"},
        {"op": "name", "document_id": "quay", "names": ["QUA", "Quay Rules"]},
        {"op": "name", "document_id": "tugs", "names": ["Tug Rules"]},
    ]
    known = (book.passages, book.references, book.known_names)
    assert read_changes(write(*nothing), *known).empty
    names = {"fees": ["Fees Rules"], "cranes": []}
    named = ({"op": "name", "document_id": key, "names": names[key]} for key in names)
    changes = read_changes(write(*nothing, *named), *known)
    assert (changes.empty, changes.amended, changes.names) == (False, {}, names)


def test_last_position_is_the_last(write: Write) -> None:
    added = {"op": "add", "document_id": "quay", "text": "One."}
    after, _ = _applied(
        write({**added, "passage_id": "n1", "position": 2**31 - 1}, {**added, "passage_id": "n2"})
    )
    assert after["position"].to_list()[-2:] == [2**31 - 1] * 2


@pytest.mark.parametrize("key", ["document:quay", "term:pilot", "name:Port", "n\x001", "n\x1b[1m"])
def test_id_of_another_node_or_with_control_characters_is_refused(write: Write, key: str) -> None:
    path = write({"op": "add", "passage_id": key, "document_id": "quay", "text": "One."})
    with pytest.raises(InputError, match=r"changes\.jsonl:1:\d+: record: add\.passage_id: expected an id"):
        _applied(path)


@pytest.mark.parametrize("key", ["term:a", "b\u200b1"])
def test_any_id_that_the_corpus_has_can_be_withdrawn(write: Write, key: str) -> None:
    book = make_book()
    known = book.passages.with_columns(
        passage_id=pl.when(pl.col("passage_id") == "q3").then(pl.lit(key)).otherwise("passage_id")
    )
    changes = read_changes(write({"op": "withdraw", "passage_id": key}), known)
    assert changes.withdrawn == {key}


def test_blank_text_makes_a_heading_and_text_a_passage_of_it(write: Write) -> None:
    after, _ = _applied(
        write(
            {"op": "amend", "passage_id": "q2", "text": " "},
            {"op": "amend", "passage_id": "q1", "text": "A pilot steers."},
        )
    )
    kinds = dict(after.select("passage_id", "kind").iter_rows())
    assert (kinds["q2"], kinds["q1"]) == ("heading", "text")


@pytest.mark.parametrize("text", ["\u200b", "\x1f"])
def test_invisible_text_is_what_the_index_takes_it_for(write: Write, text: str) -> None:
    after, _ = _applied(write({"op": "amend", "passage_id": "q2", "text": text}))
    said = after.filter(passage_id="q2")
    assert (said["kind"].item() != "heading") == has_text(said).item()


def test_added_passages_stand_last_in_table_and_document_with_its_tier(write: Write) -> None:
    after, documents = _applied(
        write(
            {"op": "add", "passage_id": "n1", "document_id": "quay", "text": "One."},
            {"op": "add", "passage_id": "n2", "document_id": "quay", "text": "Two.", "kind": "guidance"},
            {"op": "add", "passage_id": "n3", "document_id": "Crane Rules ", "text": "Three.", "tier": 5},
        )
    )
    columns = ("passage_id", "position", "tier", "kind")
    assert after[-3:].select(columns).rows() == [
        ("n1", 4, 3, "text"),
        ("n2", 5, 3, "guidance"),
        ("n3", 0, 5, "text"),
    ]
    assert documents["document_id"].to_list() == ["quay", "fees", "Crane Rules"]
    assert documents["title"].to_list()[-1] == "Crane Rules"


def test_document_without_passages_goes(write: Write) -> None:
    after, documents = _applied(
        write(*({"op": "withdraw", "passage_id": f"f{place}"} for place in (1, 2, 3)))
    )
    assert after["passage_id"].to_list() == ["q1", "q2", "q3", "q4"]
    assert documents["document_id"].to_list() == ["quay"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"op": "withdraw", "passage_id": "q22"},
            r":2: expected a passage of the corpus to withdraw, found q22; ",
        ),
        (
            {"op": "add", "passage_id": "q2", "document_id": "a", "text": ""},
            ":2: expected a new passage to add",
        ),
        (
            {"op": "withdraw", "passage_id": "q1"},
            ":2: expected one change of each passage, found q1 also on line 1",
        ),
        (
            {"op": "add", "passage_id": "n 1", "document_id": "a", "text": ""},
            ":2:.*an id without white space",
        ),
        ({"op": "add", "passage_id": "n1", "text": ""}, ":2:.*document_id: field required"),
        (
            {"op": "amend", "passage_id": "q2", "tier": 6},
            ":2:.*tier: input should be less than or equal to 5",
        ),
        ({"op": "amend", "passage_id": "q2", "tier": True}, ":2:.*tier: .*found True"),
        ({"op": "amend", "passage_id": "q2", "position": "7"}, ":2:.*position: .*found '7'"),
        ({"passage_id": "q2"}, ":2: record: op: expected a value, found none"),
        ({"op": "amend", "passage_id": "q2"}, ":2: expected a column of q2 to amend, found none"),
        ({"op": "name", "document_id": "quay", "names": [" "]}, r":2:.*names\.0: "),
        (
            {"op": "add", "passage_id": "n1", "document_id": "a\x1b[31m", "text": ""},
            ":2:.*document_id: expected an id without control characters",
        ),
        ({"op": "amend", "passage_id": "q2", "kind": "rules"}, ":2:.*kind: expected one of heading, "),
        ({"op": "amend", "passage_id": "q2", "text": None}, ":2:.*text: .*found null"),
        (
            {"op": "amend", "passage_id": "q2", "sekction": "1"},
            r":2:37: record: amend: expected known keys, found sekction; the nearest is section\. "
            r"Correct the file\.$",
        ),
        (
            {"op": "withdraw", "passage_id": "q2", "id": "x"},
            r":2:40: .*found id; the nearest is passage_id\.",
        ),
        ({"op": "amend", "passage_id": "q2", "effective_from": "May"}, ":2:.*effective_from: "),
        (
            {"op": "amend", "passage_id": "q2", "effective_from": 0},
            ":2:.*effective_from: expected an ISO date",
        ),
        (
            {"op": "amend", "passage_id": "q2", "effective_from": "2026-01-01T00:00:00+05:00"},
            ":2:.*effective_from: expected an ISO date such as 2026-03-01, without a time",
        ),
        (
            {"op": "drop", "passage_id": "q2"},
            ":2:2: .*op: expected one of 'withdraw', 'amend', 'add', 'name', found 'drop'",
        ),
        ('{"op": ', ":2:8: malformed JSON"),
    ],
)
def test_line_at_fault_is_refused(write: Write, change: Any, message: str) -> None:
    path = write({"op": "withdraw", "passage_id": "q1"}, change)
    with pytest.raises(InputError, match=rf"changes\.jsonl{message}"):
        read_changes(path, make_book().passages)


def test_file_without_changes_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="expected changes, one a line, found none"):
        read_changes(write(""), make_book().passages)
