"""The guard in front of the routes: bodies that do not come or are too large, clients that go, failures."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from rulerank.serve.generations import Generations
from rulerank.serve.guard import Guard
from rulerank.serve.metrics import Metrics
from rulerank.serve.settings import ServeSettings

JSON = [(b"content-type", b"application/json")]
HIDDEN = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
GENERATION = SimpleNamespace(current=SimpleNamespace(name="g"))
Messages = list[MutableMapping[str, Any]]


def _through_guard(receive: Callable[[], Awaitable[Any]], **settings: Any) -> Messages:
    """Send one JSON request through the guard only, and return the response."""
    sent: Messages = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("/etc/secret of a question")

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    guard = Guard(
        app, ServeSettings(bundle=Path(), **settings), cast("Generations", GENERATION), Metrics(), frozenset()
    )
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/",
        "headers": JSON,
    }
    asyncio.run(guard(scope, receive, send))
    return sent


async def _whole() -> dict[str, Any]:
    return {"type": "http.request", "body": b"{}", "more_body": False}


def test_body_that_does_not_come_is_given_up() -> None:
    async def never() -> None:
        await asyncio.sleep(10)

    start, body = _through_guard(never, deadline=0.02)
    assert start["status"] == 408
    assert json.loads(body["body"])["error"]["code"] == "too_slow"


def test_request_that_the_stopping_server_cuts_off_is_told_so() -> None:
    sent: Messages = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    guard = Guard(app, ServeSettings(bundle=Path()), cast("Generations", GENERATION), Metrics(), frozenset())
    scope = {"type": "http", "method": "POST", "path": "/", "headers": JSON}
    asyncio.run(guard(scope, _whole, send))
    start, body = sent
    assert start["status"] == 503
    assert (b"retry-after", b"1") in start["headers"]
    assert json.loads(body["body"])["error"]["code"] == "stopping"


def test_request_whose_sender_has_gone_reaches_no_route() -> None:
    parts = iter([{"type": "http.request", "body": b"{}", "more_body": True}, {"type": "http.disconnect"}])

    async def part() -> dict[str, Any]:
        return next(parts)

    start, body = _through_guard(part)
    assert start["status"] == 400
    assert json.loads(body["body"])["error"]["code"] == "cut_off"


def test_body_in_parts_is_measured_as_it_comes() -> None:
    parts = iter([b"x" * 60] * 3)

    async def part() -> dict[str, Any]:
        return {"type": "http.request", "body": next(parts), "more_body": True}

    start, _ = _through_guard(part, body=100)
    assert start["status"] == 413
    assert len(list(parts)) == 1


@pytest.mark.parametrize(
    ("lengths", "body", "status", "said"),
    [
        ("Content-Length: 44\r\nTransfer-Encoding: chunked", f"0\r\n\r\n{HIDDEN}", 400, "found both"),
        # It is not waited for, and the sender is not asked to go on.
        ("Content-Length: 2000000\r\nExpect: 100-continue", "", 413, "at most 1048576 bytes"),
        ("Content-Length: 60", '{"question":', 408, "within 0.1 seconds"),
    ],
)
def test_body_that_is_not_taken_ends_its_connection(
    bundle: Path, listening: Callable[..., Any], lengths: str, body: str, status: int, said: str
) -> None:
    head = f"POST /v1/rank HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{lengths}\r\n\r\n"
    with listening(ServeSettings(bundle=bundle, deadline=0.1)) as address:
        port = int(address.rpartition(":")[2])
        # Less than the time for which a connection is kept for another request.
        with socket.create_connection(("127.0.0.1", port), timeout=3) as connection:
            connection.sendall((head + body).encode())
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()
    assert answer.startswith(f"HTTP/1.1 {status} ")
    assert said in answer
    assert answer.count("HTTP/1.1") == 1


def test_failure_is_a_500_that_tells_nothing_and_a_line_that_tells_where(log: list[str]) -> None:
    start, body = _through_guard(_whole)
    error = json.loads(body["body"])["error"]
    assert (start["status"], error["code"]) == (500, "internal")
    assert "secret" not in body["body"].decode() + "".join(log)
    failed, request = map(json.loads, log)
    assert (failed["error"], failed["trace"][-1].split()[-1]) == ("RuntimeError", "app")
    assert failed["request_id"] == request["request_id"] == error["request_id"]
    assert (request["status"], request["route"]) == (500, "none")
