"""The client against a real server."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread
from typing import Any

import numpy as np
import pytest

from rulerank.ranker import Ranker
from rulerank.serve.client import Client, ServiceError
from rulerank.serve.settings import ServeSettings

QUESTION = "Who has to keep the register, and for how long?"


@pytest.fixture(scope="module")
def address(
    bundle: Path, tmp_path_factory: pytest.TempPathFactory, listening: Callable[..., Any]
) -> Iterator[str]:
    feedback = tmp_path_factory.mktemp("client") / "feedback.jsonl"
    with listening(ServeSettings(bundle=bundle, feedback=feedback)) as found:
        yield found


def test_client_says_what_the_ranker_says(address: str, ranker: Ranker) -> None:
    day = date(2100, 1, 1)
    with Client(address) as client:
        ranked = client.rank(QUESTION, 3, reasons=1, as_of=day)
        expected = ranker.rank(QUESTION, 3, reasons=1, as_of=day)
        assert [each.score for each in ranked.passages] == pytest.approx([each.score for each in expected])
        first, second = (each.passage_id for each in ranked.passages[:2])
        assert client.rerank(QUESTION, [second, first]).results[0].index == 1
        assert client.answer(QUESTION).answered is bool(ranker.answer(QUESTION).claims)
        against = client.explain(QUESTION, first, second).against
        assert against is not None
        assert against.passage_id == second
        assert client.feedback(QUESTION, first, accepted=True).kept
        assert client.ready().generation == ranked.generation == ranker.bundle.manifest["digest"][:12]


def test_refusal_is_an_error_with_status_and_code(address: str) -> None:
    with Client(address) as client:
        with pytest.raises(ServiceError, match="k: Input should be less than or equal to 1000") as raised:
            client.rank(QUESTION, 1001)
        assert (raised.value.status, raised.value.code) == (422, "invalid_request")
        with pytest.raises(ServiceError, match="documents") as raised:
            client.rerank(QUESTION, ["nowhere"])
        assert (raised.value.status, raised.value.code) == (404, "unknown_passage")


def test_server_that_is_not_there_is_named_without_the_password() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with Client(f"http://reader:hunter2@127.0.0.1:{port}/?key=hunter2") as client:
        with pytest.raises(
            ServiceError, match=f"http://127.0.0.1:{port}/: .* Is the server running"
        ) as raised:
            client.rank(QUESTION)
        assert "hunter2" not in str(raised.value)
        assert raised.value.__cause__ is None


@pytest.mark.parametrize(
    "address", ["nonsense", "", "ftp://host", "http://", "http://host:port", None, 3, b"http://host"]
)
def test_address_of_nothing_is_refused(address: Any) -> None:
    with pytest.raises(ServiceError, match="expected the address of a server, like http"):
        Client(address)


def test_name_that_no_server_can_have_is_refused() -> None:
    with Client(f"http://{'a' * 70}.x") as client, pytest.raises(ServiceError, match="the name of a server"):
        client.ready()


def test_closed_client_asks_nothing() -> None:
    client = Client()
    client.close()
    with pytest.raises(ServiceError, match="expected an open client"):
        client.ready()


def test_address_that_leads_nowhere_is_an_error() -> None:
    with pytest.raises(ServiceError), Client("http://[") as client:
        client.ready()


@pytest.mark.parametrize("question", ["\ud800", float("nan")])
def test_what_json_cannot_hold_is_not_sent(question: Any) -> None:
    with Client() as client, pytest.raises(ServiceError, match="expected what JSON can hold"):
        client.rank(question)


def test_argument_of_another_type_is_not_sent() -> None:
    with Client() as client:
        with pytest.raises(ServiceError, match="as_of: expected a date, found '2020-01-01'"):
            client.rank(QUESTION, as_of="2020-01-01")  # type: ignore[arg-type]
        with pytest.raises(ServiceError, match=r"as_of: expected a date, found datetime\.datetime\(2020"):
            client.rank(QUESTION, as_of=datetime(2020, 1, 1))
        with pytest.raises(ServiceError, match="documents: expected a list of ids or texts, found str"):
            client.rerank(QUESTION, "p1")
        with pytest.raises(ServiceError, match="documents: expected a list of ids or texts, found NoneType"):
            client.rerank(QUESTION, None)  # type: ignore[arg-type]
        with pytest.raises(ServiceError, match="expected what JSON can hold"):
            client.rank(QUESTION, np.int64(3))  # type: ignore[arg-type]
    for timeout in (-1, "5", float("inf")):
        with pytest.raises(ServiceError, match="timeout: expected seconds above 0, or None for ever, found"):
            Client(timeout=timeout)  # type: ignore[arg-type]
    Client(timeout=None).close()


@contextmanager
def _saying(response: bytes, seconds: float = 0) -> Iterator[str]:
    """Listen, wait, say the same to each request, and close its connection."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(1 << 16)
            time.sleep(seconds)
            self.request.sendall(response)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        ("200 OK", "<html>It works</html>"),
        ("200 OK", '{"status": "ready"}'),
        ("429 Too Many Requests", "Slow down."),
        ("502 Bad Gateway", "<html>Bad Gateway</html>"),
    ],
)
def test_response_of_something_else_is_told_apart(status: str, body: str) -> None:
    response = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    told = pytest.raises(ServiceError, match="from another version, a proxy or another server")
    with _saying(response) as address, Client(address) as client, told as raised:
        client.ready()
    assert f"found status {status[:3]} " in str(raised.value)
    assert (raised.value.status, raised.value.code) == (int(status[:3]), "")


def test_response_of_a_later_version_is_read() -> None:
    body = '{"generation": "g", "status": "ready", "since": 1}'
    response = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    with _saying(response) as address, Client(address) as client:
        assert client.ready().generation == "g"


@pytest.mark.parametrize(
    ("response", "seconds", "said"),
    [
        (b"", 0, "found none: Server disconnected without sending a response. Is"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", 0, "found none: peer closed connection"),
        (b"", 1, "found none: timed out. Is the server running?"),
    ],
)
def test_response_that_does_not_come_is_an_error(response: bytes, seconds: float, said: str) -> None:
    told = pytest.raises(ServiceError, match=said)
    with _saying(response, seconds) as address, Client(address, timeout=0.2) as client, told as raised:
        client.ready()
    assert (raised.value.status, raised.value.code) == (0, "")
