"""A queue with more requests than it can finish in time, and requests whose clients leave it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from rulerank.ranker import Ranker
from rulerank.serve.faults import RequestError
from rulerank.serve.settings import ServeSettings
from rulerank.serve.work import Work


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
