"""Deadlines, a full queue, failures inside: the response to a request, and the line in the log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.testclient import TestClient

from rulerank.ranker import Ranker
from rulerank.serve.app import app_of_environment
from rulerank.serve.faults import RequestError
from rulerank.serve.generations import Generations
from rulerank.serve.guard import Guard
from rulerank.serve.logs import JsonLines
from rulerank.serve.metrics import Metrics
from rulerank.serve.settings import ENVIRONMENT, ServeSettings
from rulerank.serve.work import Work

QUESTION = "Who must keep the secret register?"
JSON = [(b"content-type", b"application/json")]
HIDDEN = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
GENERATION = SimpleNamespace(current=SimpleNamespace(name="g"))
Messages = list[MutableMapping[str, Any]]


def test_what_takes_too_long_is_given_up() -> None:
    work, end = Work(threads=1, waiting=1, deadline=0.05), threading.Event()
    with pytest.raises(RequestError) as raised:
        asyncio.run(work.done(end.wait))
    assert (raised.value.status, raised.value.code) == (503, "deadline")
    end.set()
    work.close()


def test_more_than_may_wait_are_turned_away_until_there_is_room() -> None:
    work, end = Work(threads=1, waiting=1, deadline=10), threading.Event()

    async def ask() -> None:
        first, second = (asyncio.ensure_future(work.done(end.wait)) for _ in range(2))
        await asyncio.sleep(0.01)
        with pytest.raises(RequestError) as raised:
            await work.done(end.wait)
        assert (raised.value.status, raised.value.code) == (503, "busy")
        end.set()
        assert await first
        assert await second
        assert await work.done(lambda: "room") == "room"

    asyncio.run(ask())
    work.close()


def test_request_that_was_given_up_holds_its_place_until_it_ends() -> None:
    work, end = Work(threads=1, waiting=1, deadline=0.02), threading.Event()

    async def ask() -> None:
        with pytest.raises(RequestError, match="Not done within"):
            await work.done(end.wait)
        for _ in range(2):
            # One waits in vain and leaves the queue; the other finds no place in it.
            met = await asyncio.gather(*(work.done(end.wait) for _ in range(2)), return_exceptions=True)
            assert sorted(cast("RequestError", each).code for each in met) == ["busy", "deadline"]
        end.set()

    asyncio.run(ask())
    work.close()


def test_only_as_many_wait_as_are_finished_in_time() -> None:
    work = Work(threads=1, waiting=100, deadline=1)

    async def one() -> str:
        try:
            await work.done(lambda: time.sleep(0.1))
        except RequestError as error:
            return error.code
        return "done"

    async def ask() -> list[str]:
        assert [await one(), await one()] == ["done", "done"]
        return await asyncio.gather(*(one() for _ in range(30)))

    met = asyncio.run(ask())
    # Those that are turned away are told so at once, and those that wait are all answered.
    assert set(met) == {"done", "busy"}
    work.close()


def test_first_request_that_takes_long_does_not_close_the_queue() -> None:
    work = Work(threads=1, waiting=100, deadline=1)

    async def ask() -> list[None]:
        await work.done(lambda: time.sleep(0.6))
        return await asyncio.gather(*(work.done(lambda: None) for _ in range(30)))

    assert asyncio.run(ask()) == [None] * 30
    work.close()


def test_waiting_request_leaves_the_queue_with_its_client() -> None:
    work, end = Work(threads=1, waiting=1, deadline=10), threading.Event()
    begun: list[str] = []

    async def ask() -> None:
        left = asyncio.Event()
        first = asyncio.ensure_future(work.done(end.wait))
        second = work.done_unless_gone(lambda: begun.append("second"), left.wait())
        second = asyncio.ensure_future(second)
        await asyncio.sleep(0.01)
        left.set()
        with pytest.raises(RequestError) as raised:
            await second
        assert (raised.value.status, raised.value.code) == (400, "cut_off")
        # Its place is free for another.
        third = asyncio.ensure_future(work.done(lambda: begun.append("third")))
        await asyncio.sleep(0.01)
        end.set()
        await asyncio.gather(first, third)

    asyncio.run(ask())
    assert begun == ["third"]
    work.close()


def test_request_whose_client_leaves_the_queue_is_not_ranked(
    bundle: Path, listening: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, end = [], threading.Event()
    rank = Ranker.rank

    def slow(self: Ranker, question: str, *arguments: Any, **options: Any) -> Any:
        begun.append(question)
        end.wait()
        return rank(self, question, *arguments, **options)

    monkeypatch.setattr(Ranker, "rank", slow)
    with (
        listening(ServeSettings(bundle=bundle, threads=1)) as address,
        ThreadPoolExecutor() as pool,
    ):
        stays = pool.submit(_asked, address, "first")
        while not begun:
            time.sleep(0.01)
        _asked_by_one_who_leaves(address, "second")
        end.set()
        assert stays.result().startswith("HTTP/1.1 200 ")
        assert _asked(address, "third").startswith("HTTP/1.1 200 ")
    assert begun == ["first", "third"]


def _request(question: str) -> bytes:
    body = json.dumps({"question": question})
    head = "POST /v1/rank HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def _connected(address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=10)


def _asked(address: str, question: str) -> str:
    """Return the whole response to a question."""
    with _connected(address) as connection:
        connection.sendall(_request(question))
        return b"".join(iter(lambda: connection.recv(1 << 16), b"")).decode()


def _asked_by_one_who_leaves(address: str, question: str) -> None:
    """Ask a question, and leave before it is answered."""
    with _connected(address) as connection:
        connection.sendall(_request(question))
        time.sleep(0.3)
    time.sleep(0.3)


def _through_guard(receive: Callable[[], Awaitable[Any]], **settings: Any) -> Messages:
    """Send one JSON request through the guard only, and return the response."""
    sent: Messages = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("/etc/secret of " + QUESTION)

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


@pytest.fixture
def log() -> Iterator[list[str]]:
    """The lines that the server logs."""
    lines: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(JsonLines().format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("rulerank.serve")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield lines
    logger.removeHandler(handler)
    logger.setLevel(before)


def test_failure_is_a_500_that_tells_nothing_and_a_line_that_tells_where(log: list[str]) -> None:
    start, body = _through_guard(_whole)
    error = json.loads(body["body"])["error"]
    assert (start["status"], error["code"]) == (500, "internal")
    assert "secret" not in body["body"].decode() + "".join(log)
    failed, request = map(json.loads, log)
    assert (failed["error"], failed["trace"][-1].split()[-1]) == ("RuntimeError", "app")
    assert failed["request_id"] == request["request_id"] == error["request_id"]
    assert (request["status"], request["route"]) == (500, "none")


def test_log_counts_the_characters_of_a_question_and_leaves_it_out(http: TestClient, log: list[str]) -> None:
    http.post("/v1/rank?question=secret", json={"question": QUESTION})
    http.post("/v1/rank", json={"question": QUESTION, "k": 0})
    http.post("/v1/secret", json={"question": QUESTION})
    http.get("/healthz", headers={"authorization": "Basic secret"})
    assert "secret" not in "".join(log)
    ranked, refused, unknown = map(json.loads, log)
    assert (ranked["status"], ranked["route"], ranked["characters"]) == (200, "/v1/rank", len(QUESTION))
    assert (refused["status"], unknown["status"]) == (422, 404)
    assert {"at", "request_id", "milliseconds", "generation"} < set(ranked)


def test_logged_question_neither_ends_its_line_nor_reaches_a_terminal() -> None:
    question = "Who?\u2028Who?\x85Who?\x9b31m\u202e"
    record = logging.makeLogRecord({"msg": "request", "fields": {"question": question}})
    line = JsonLines().format(record)
    assert line.isprintable()
    assert len(line.splitlines()) == 1
    assert json.loads(line)["question"] == question


def test_trouble_that_is_not_the_request_is_a_500_without_its_cause(
    http: TestClient, log: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device", "/srv/secret")

    monkeypatch.setattr(Ranker, "rank", fail)
    response = http.post("/v1/rank", json={"question": QUESTION})
    assert response.status_code == 500
    assert "secret" not in response.text + "".join(log)


def test_worker_without_a_ranker_says_so_in_one_line_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings = ServeSettings(bundle=tmp_path, poll=0.01)
    monkeypatch.setenv(ENVIRONMENT, settings.model_dump_json())
    with pytest.raises(SystemExit) as ended:
        app_of_environment()
    assert ended.value.code == 1
    (said,) = caplog.records
    assert said.message == "worker cannot load the ranker"
    assert str(tmp_path) in said.fields["because"]
