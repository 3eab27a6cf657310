"""Metrics of several workers, read from any of them."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from rulerank.serve.client import Client, ServiceError
from rulerank.serve.metrics import remove_gauges_of_dead_workers

WORKERS, ASKED = 2, 12
COMMAND = "from rulerank.cli import main; main()"
QUESTION = "Who has to keep the register, and for how long?"


def test_gauges_of_a_worker_that_is_gone_are_removed(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    names = [f"gauge_livesum_{os.getpid()}.db", f"gauge_livesum_{gone.pid}.db", f"counter_{gone.pid}.db"]
    for name in names:
        (tmp_path / name).touch()
    remove_gauges_of_dead_workers(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([names[0], names[2]])


def test_workers_may_remove_one_that_is_gone_at_the_same_time(tmp_path: Path) -> None:
    no_process = range(2**22 + 1, 2**22 + 1001)
    for number in no_process:
        (tmp_path / f"gauge_livesum_{number}.db").touch()
    together = Barrier(8)

    def remove(_: int) -> None:
        together.wait()
        remove_gauges_of_dead_workers(tmp_path)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(remove, range(8)))
    assert not list(tmp_path.iterdir())


@pytest.fixture
def port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        found: int = free.getsockname()[1]
    return found


def test_two_workers_count_as_one_and_end_when_they_are_told_to(
    bundle: Path, port: int, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", COMMAND, "serve", str(bundle), "--port", str(port), "--deadline", "5"]
    log = tmp_path / "log"
    with log.open("w") as stream:
        server = subprocess.Popen([*command, "--workers", str(WORKERS)], stderr=stream)
    try:
        with Client(f"http://127.0.0.1:{port}") as client:
            _wait_for_both(client, log)
            idle = http.client.HTTPConnection("127.0.0.1", port)
            _health(idle)
            idle_since = time.monotonic()
            for _ in range(ASKED):
                # A connection stays with its worker; a new connection may reach the other worker.
                with Client(f"http://127.0.0.1:{port}") as another:
                    another.rank(QUESTION, 1)
        counted = rf'rulerank_requests_total{{route="/v1/rank",status="200"}} {ASKED}\.0'
        end = time.monotonic() + 20
        # A request is counted after the end of its response, which its client may have read by then.
        while not re.search(counted, _metrics(port)):
            assert time.monotonic() < end, _metrics(port)
            time.sleep(0.05)
        for page in [_metrics(port) for _ in range(4)]:
            assert re.search(counted, page)
            assert re.search(rf'rulerank_workers{{generation="\w+"}} {WORKERS}\.0', page)
        # Longer than uvicorn keeps a connection of its own accord: a proxy reuses it.
        time.sleep(max(0, idle_since + 6 - time.monotonic()))
        _health(idle)
        idle.close()
        _is_refused_while_a_request_is_finished(server, port)
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(20) == 0
    assert log.read_text().count('"event": "stopped"') == WORKERS
    assert QUESTION not in log.read_text()


def _health(connection: http.client.HTTPConnection) -> None:
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    assert (response.status, bool(response.read())) == (200, True)


def _is_refused_while_a_request_is_finished(server: subprocess.Popen[bytes], port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as begun:
        begun.sendall(b"POST /v1/rank HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
        _metrics(port)
        server.send_signal(signal.SIGTERM)
        while not _refused(port):
            assert server.poll() is None
            time.sleep(0.05)
        assert server.poll() is None
        assert begun.recv(99).startswith(b"HTTP/1.1 408 ")


def _refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:
        # It had come just before the workers stopped listening.
        return False
    return False


def _metrics(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as response:
        return str(response.read().decode())


def _wait_for_both(client: Client, log: Path) -> None:
    end = time.monotonic() + 60
    while log.read_text().count('"event": "serving"') < WORKERS:
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.05)
    try:
        client.ready()
    except ServiceError:
        time.sleep(0.5)
