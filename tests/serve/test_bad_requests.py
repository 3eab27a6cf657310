"""Requests that cannot be answered: each gets a clear error, and none a 5xx, a path or a trace."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

Q = {"question": "Who must keep the register?"}
RERANK = {"query": "Who must keep the register?", "documents": ["x"]}
EXPLAIN = Q | {"passage_id": "nowhere"}
FEEDBACK = EXPLAIN | {"accepted": True}
RANKS: list[tuple[str, dict[str, Any], int]] = [
    ("no question", {}, 422),
    ("question is null", {"question": None}, 422),
    ("question is a number", {"question": 7}, 422),
    ("question is a list", {"question": ["Who?"]}, 422),
    ("question is an object", {"question": {"text": "Who?"}}, 422),
    ("question is empty", {"question": ""}, 422),
    ("question is blank", {"question": " \t\n"}, 422),
    ("question is an unseen space", {"question": "\u00a0\u2003"}, 422),
    ("question is a separator of files", {"question": "\x1c"}, 422),
    ("question is too long", {"question": "x" * 4001}, 422),
    ("k is zero", Q | {"k": 0}, 422),
    ("k is negative", Q | {"k": -1}, 422),
    ("k is above the limit", Q | {"k": 1001}, 422),
    ("k is enormous", Q | {"k": 10**30}, 422),
    ("k is a fraction", Q | {"k": 2.5}, 422),
    ("k is a string", Q | {"k": "10"}, 422),
    ("k is true", Q | {"k": True}, 422),
    ("k is null", Q | {"k": None}, 422),
    ("k is a list", Q | {"k": [1]}, 422),
    ("reasons are negative", Q | {"reasons": -1}, 422),
    ("reasons are too many", Q | {"reasons": 51}, 422),
    ("reasons are a string", Q | {"reasons": "all"}, 422),
    ("model is unknown", Q | {"model": "best"}, 422),
    ("model is a path", Q | {"model": "../../etc/passwd"}, 422),
    ("model is a number", Q | {"model": 1}, 422),
    ("day is a word", Q | {"as_of": "yesterday"}, 422),
    ("day does not exist", Q | {"as_of": "2024-02-30"}, 422),
    ("day is a number", Q | {"as_of": 0}, 422),
    ("day is a number in digits", Q | {"as_of": "0"}, 422),
    ("day is an hour", Q | {"as_of": "2024-01-01T12:00:00"}, 422),
    ("day is an hour at midnight", Q | {"as_of": "2024-01-01T00:00:00"}, 422),
    ("day is an hour of a zone", Q | {"as_of": "2024-01-01T00:00:00+05:00"}, 422),
    ("day is in the year 10000", Q | {"as_of": "10000-01-01"}, 422),
    ("a field is misspelt", Q | {"kk": 3}, 422),
]
OTHERS: list[tuple[str, str, dict[str, Any], int]] = [
    ("answer without a question", "answer", {}, 422),
    ("answer with reasons", "answer", Q | {"reasons": 3}, 422),
    ("answer with k above the limit", "answer", Q | {"k": 1001}, 422),
    ("rerank without documents", "rerank", {"query": "Who?"}, 422),
    ("rerank of none", "rerank", RERANK | {"documents": []}, 422),
    ("rerank of a string", "rerank", RERANK | {"documents": "x"}, 422),
    ("rerank of numbers", "rerank", RERANK | {"documents": [1, 2]}, 422),
    ("rerank of an empty text", "rerank", RERANK | {"documents": [""]}, 422),
    ("rerank of objects without a text", "rerank", RERANK | {"documents": [{"title": "x"}]}, 422),
    ("rerank of too many", "rerank", RERANK | {"documents": ["x"] * 1001}, 422),
    ("rerank of a text of no corpus", "rerank", RERANK, 404),
    ("rerank of white space", "rerank", RERANK | {"documents": ["\n"]}, 404),
    ("rerank of a path", "rerank", RERANK | {"documents": ["/etc/passwd"]}, 404),
    ("rerank to none", "rerank", RERANK | {"top_n": 0}, 422),
    ("rerank of a blank query", "rerank", RERANK | {"query": " "}, 422),
    ("rerank by a question", "rerank", Q | {"documents": ["x"]}, 422),
    ("explain an unknown passage", "explain", EXPLAIN, 404),
    ("explain without a passage", "explain", Q, 422),
    ("explain a number", "explain", Q | {"passage_id": 3}, 422),
    ("explain against a list", "explain", EXPLAIN | {"against": ["x"]}, 422),
    ("explain an endless id", "explain", Q | {"passage_id": "x" * 1001}, 422),
    ("judge an unknown passage", "feedback", FEEDBACK, 404),
    ("judge nothing that can be seen", "feedback", FEEDBACK | {"question": "\u200b\u200e"}, 422),
    ("judge without a verdict", "feedback", EXPLAIN, 422),
    ("judge by a word", "feedback", EXPLAIN | {"accepted": "yes"}, 422),
    ("judge by a number", "feedback", EXPLAIN | {"accepted": 1}, 422),
    ("judge with a day", "feedback", FEEDBACK | {"at": "2024-01-01"}, 422),
]
BODIES: list[tuple[str, bytes, int]] = [
    ("empty", b"", 422),
    ("half of an object", b'{"question": "Who', 422),
    ("a comma too many", b'{"question": "Who?",}', 422),
    ("a list", b'["Who?"]', 422),
    ("a string", b'"Who?"', 422),
    ("null", b"null", 422),
    ("no UTF-8", b'{"question": "Who \xff?"}', 400),
    ("half of a surrogate pair", b'{"question": "Who \\ud800?"}', 422),
    ("half of a pair as a key", b'{"question": "Who?", "\\ud800": 1}', 422),
    ("not a number", b'{"question": "Who?", "k": NaN}', 422),
    ("infinity", b'{"question": "Who?", "k": -Infinity}', 422),
    ("a number of 5,000 digits", b'{"question": "Who?", "k": ' + b"9" * 5000 + b"}", 400),
    ("nested without end", b"[" * 60_000, 400),
    ("a form", b"question=Who", 422),
    ("too large", b'{"question": "' + b"x" * (1 << 16) + b'"}', 413),
]
JSON = {"content-type": "application/json"}
_TRACE = re.compile(r"Traceback|\.py\b|/(home|root|tmp|usr|work)/")


def _refused(response: Any, status: int) -> str:
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert set(error) == {"code", "message", "request_id"}
    assert error["request_id"] == response.headers["x-request-id"]
    assert not _TRACE.search(response.text)
    assert 0 < len(error["message"]) < 500
    return error["message"]


@pytest.mark.parametrize(("body", "status"), [each[1:] for each in RANKS], ids=[each[0] for each in RANKS])
def test_ranking(http: TestClient, body: dict[str, Any], status: int) -> None:
    _refused(http.post("/v1/rank", json=body), status)


@pytest.mark.parametrize(
    ("route", "body", "status"), [each[1:] for each in OTHERS], ids=[each[0] for each in OTHERS]
)
def test_other_routes(http: TestClient, route: str, body: dict[str, Any], status: int) -> None:
    _refused(http.post(f"/v1/{route}", json=body), status)


@pytest.mark.parametrize(("body", "status"), [each[1:] for each in BODIES], ids=[each[0] for each in BODIES])
def test_bodies(http: TestClient, body: bytes, status: int) -> None:
    said = _refused(http.post("/v1/rank", content=body, headers=JSON), status)
    assert status != 400 or said.startswith("Expected JSON in UTF-8")


def test_blank_question_is_told_as_one(http: TestClient) -> None:
    said = _refused(http.post("/v1/rank", json={"question": " "}), 422)
    assert said == "question: expected words, found blank text"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"as_of": "2024-01-01T00:00Z"}, "as_of: expected an ISO date such as 2026-03-01, without a time"),
        ({"k": "10"}, "k: expected a whole number"),
    ],
)
def test_value_is_told_in_our_words_alone(http: TestClient, fields: dict[str, Any], said: str) -> None:
    assert _refused(http.post("/v1/rank", json=Q | fields), 422) == said


@pytest.mark.parametrize(
    ("documents", "said"),
    [
        (["x", 1], "documents.1.text: Input should be a valid string"),
        ([{"title": "x"}], "documents.0.object.text: Field required"),
    ],
)
def test_document_is_told_about_the_form_it_was_sent_in(
    http: TestClient, documents: list[Any], said: str
) -> None:
    assert _refused(http.post("/v1/rerank", json=RERANK | {"documents": documents}), 422) == said


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_body_of_another_type_is_refused_which_keeps_other_sites_out(http: TestClient, kind: str) -> None:
    body = json.dumps(Q).encode()
    _refused(http.post("/v1/rank", content=body, headers={"content-type": kind}), 415)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/rank", 405),
        ("DELETE", "/v1/feedback", 405),
        ("PUT", "/healthz", 405),
        ("GET", "/nowhere", 404),
        ("GET", "/v1/", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/%2e%2e/%2e%2e/etc/passwd", 404),
        ("GET", "/page.py", 404),
        ("GET", "/docs", 404),
        ("POST", "/v1/reload", 404),
        ("GET", "/" + "x" * 5000, 404),
        ("BREW", "/v1/rank", 405),
    ],
)
def test_paths(http: TestClient, method: str, path: str, status: int) -> None:
    _refused(http.request(method, path), status)


def test_fault_names_the_field(http: TestClient) -> None:
    message = _refused(http.post("/v1/rank", json=Q | {"k": 0, "kk": 1}), 422)
    assert message.startswith("k: ")
    assert "kk: " in message
    named = _refused(http.post("/v1/rerank", json=RERANK), 404)
    assert named.startswith(
        "documents[0]: expected the id or the text of a passage of this corpus, found 'x'"
    )
