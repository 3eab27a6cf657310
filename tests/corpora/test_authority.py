import json
from collections.abc import Sequence
from datetime import datetime
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from rulerank.corpora.authority import read_authority, write_authority
from rulerank.errors import InputError

DOCUMENT = {"id": "a", "type": "title", "text": "Plot 7.", "timestamp": "2020-05-01", "scope": {"plot": 7}}
QUERY = {"id": "q", "text": "Who owns plot 7?", "gold": ["a"]}


def _folder(folder: Path, documents: Sequence[Any] = (DOCUMENT,), queries: Sequence[Any] = (QUERY,)) -> Path:
    write_authority(folder, documents, queries)
    return folder


def test_documents_and_queries_are_read(tmp_path: Path) -> None:
    query = {**QUERY, "scope": {"plot": " P 7 "}, "type": "plain", "answer": "ann", "note": 1}
    data = read_authority(_folder(tmp_path, queries=[query]))
    assert data.documents.rows() == [("a", "title", "Plot 7.", datetime(2020, 5, 1), {"plot": "7"})]
    assert data.queries.rows() == [("q", "Who owns plot 7?", ["a"], [], "plain", "ann", '{"plot": "p 7"}')]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        ("", None),
        ("2020-05-01T09:30:00", datetime(2020, 5, 1, 9, 30)),
        ("2020-05-01 09:30", datetime(2020, 5, 1, 9, 30)),
        ("2020-05-01T09:30:00Z", datetime(2020, 5, 1, 9, 30)),
        ("2020-05-01T09:30:00+02:00", datetime(2020, 5, 1, 7, 30)),
        ("20200501", datetime(2020, 5, 1)),
        (20200501, datetime(2020, 5, 1)),
        ("2020-05", datetime(2020, 5, 1)),
        (1954, datetime(1954, 1, 1)),
        ("2020-5-1", datetime(2020, 5, 1)),
        ("2020/05/01", datetime(2020, 5, 1)),
        (1588325400, datetime(2020, 5, 1, 9, 30)),
        (1588325400.5, datetime(2020, 5, 1, 9, 30, 0, 500000)),
    ],
)
def test_timestamps_of_every_iso_form_compare(tmp_path: Path, value: Any, expected: datetime | None) -> None:
    data = read_authority(_folder(tmp_path, [{**DOCUMENT, "timestamp": value}]))
    assert data.documents["timestamp"].to_list() == [expected]


def test_scope_values_are_compared_without_case_and_surplus_space(tmp_path: Path) -> None:
    values = [" Plot  A ", "plot a", "PLOT\u200b A", None, "", 7.0, True]
    documents = [{**DOCUMENT, "id": place, "scope": {"plot": value}} for place, value in enumerate(values)]
    data = read_authority(_folder(tmp_path, documents, [{**QUERY, "gold": 0}]))
    assert data.documents["scope"].struct.field("plot").to_list() == ["plot a"] * 3 + [
        None,
        None,
        "7",
        "true",
    ]


def test_numbers_as_scope_values_are_compared_in_full(tmp_path: Path) -> None:
    values = [10**400, 1234567, 1234567.0, 1234568.0]
    documents = [{**DOCUMENT, "id": place, "scope": {"plot": value}} for place, value in enumerate(values)]
    data = read_authority(_folder(tmp_path, documents, [{**QUERY, "gold": 0}]))
    read = data.documents["scope"].struct.field("plot").to_list()
    assert read == ["1" + "0" * 400, "1234567", "1234567", "1234568"]


def test_document_may_lack_timestamp_and_scope(tmp_path: Path) -> None:
    documents = [DOCUMENT, {"id": 2, "type": " Survey", "text": None}, {**DOCUMENT, "id": "c", "scope": None}]
    data = read_authority(_folder(tmp_path, documents))
    assert data.documents["document_id"].to_list() == ["a", "2", "c"]
    assert data.documents["type"].to_list() == ["title", "survey", "title"]
    assert data.documents["scope"].to_list() == [{"plot": "7"}, {"plot": None}, {"plot": None}]


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({**DOCUMENT, "type": None}, "documents.jsonl:2.*: record: type: "),
        ({"id": "b", "text": "x"}, "documents.jsonl:2.*: record: type: field required"),
        (
            {**DOCUMENT, "id": "b", "timestamp": "May"},
            "documents.jsonl:2.*: record: timestamp: expected an ISO date or time .*T09:00, .*'May'",
        ),
        ({**DOCUMENT, "id": "b", "timestamp": 1.5}, "documents.jsonl:2.*: record: timestamp: "),
        ({**DOCUMENT, "id": "b", "timestamp": True}, "documents.jsonl:2.*: record: timestamp: "),
        ({**DOCUMENT, "id": "b", "timestamp": 1588325400000}, "documents.jsonl:2.*: record: timestamp: "),
        ({**DOCUMENT, "id": "b", "timestamp": "2020-05/01"}, "documents.jsonl:2.*: record: timestamp: "),
        ([DOCUMENT], "documents.jsonl:2.*: record: expected an object, found a list"),
        (
            {**DOCUMENT, "id": "b", "scope": {"plot": [7]}},
            "documents.jsonl:2.*: record: scope.plot: expected .*each in a record of its own.*found a list",
        ),
        (
            {**DOCUMENT, "id": "b", "scope": {"plot": nan}},
            "documents.jsonl:2.*: record: scope.plot: .*found nan",
        ),
        (
            {**DOCUMENT, "id": "b", "scope": {"plot": -inf}},
            "documents.jsonl:2.*: record: scope.plot: .*found -inf",
        ),
        ({**DOCUMENT, "id": "b", "scope": [7]}, "documents.jsonl:2.*: record: scope: .*found a list"),
        ({**DOCUMENT, "id": "b", "timestamp": nan}, "documents.jsonl:2.*: record: timestamp: .*found nan"),
        (DOCUMENT, "documents.jsonl:2: document_id a: expected once, found on lines 1 and 2"),
        ({**DOCUMENT, "Timestamp": "2020"}, "known keys, found Timestamp; the nearest is timestamp"),
        ({**DOCUMENT, "TIMESTAMP": "2020"}, "known keys, found TIMESTAMP; the nearest is timestamp"),
        ({**DOCUMENT, "id": "b", "timestamp": "1712051730123"}, "record: timestamp: .*found '1712051730123'"),
        ({**DOCUMENT, "timestmp": "2020"}, "known keys, found timestmp; the nearest is timestamp"),
    ],
)
def test_document_at_fault_is_refused_by_line(tmp_path: Path, document: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_authority(_folder(tmp_path, [DOCUMENT, document]))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            {**QUERY, "id": "r", "gold": ["aa"]},
            "queries.jsonl:2: query r: gold: .*found 'aa'; the nearest is 'a'",
        ),
        (
            {**QUERY, "id": "r", "text": " \u200b"},
            "queries.jsonl:2.*: record: text: expected the text of a question",
        ),
        ({**QUERY, "id": "r", "gold": []}, "queries.jsonl:2.*: record: gold: "),
        ({"id": "r", "text": "Who?"}, "queries.jsonl:2.*: record: gold: field required"),
        (
            {**QUERY, "id": "r", "scope": {"plot": [7, 8]}},
            "queries.jsonl:2.*: record: scope.plot: .*found a list",
        ),
        (QUERY, "queries.jsonl:2: query_id q: expected once, found on lines 1 and 2"),
    ],
)
def test_query_at_fault_is_refused_by_line(tmp_path: Path, query: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_authority(_folder(tmp_path, queries=[QUERY, query]))


def test_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"documents\.jsonl: expected one document per line, found none"):
        read_authority(_folder(tmp_path, []))


def test_malformed_line_is_refused_by_line_and_column(tmp_path: Path) -> None:
    _folder(tmp_path)
    (tmp_path / "queries.jsonl").write_text(json.dumps(QUERY) + "\n{\n")
    with pytest.raises(InputError, match=r"queries.jsonl:2:\d+: malformed JSON"):
        read_authority(tmp_path)
