"""A server in its own process, over a link that is switched from one copy of a ranker to another."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from rulerank.bundle import MANIFEST
from rulerank.bundle.manifest import digest
from rulerank.errors import RulerankError
from rulerank.files import read_json, write_json
from rulerank.serve.client import Client, ServiceError

SECONDS = 120
"""Seconds to wait for a server to start, or to switch to another ranker."""

COMMAND = "from rulerank.cli import main; main()"


@dataclass(frozen=True)
class Server:
    """A server, and a client of it that threads share.

    Parameters
    ----------
    process : psutil.Process
        Its one worker.
    client : Client
        Asks it.
    bundle, folder : Path
        The ranker, and the folder of its copies and of the link to one of them.

    """

    process: psutil.Process
    client: Client
    bundle: Path
    folder: Path

    def change(self, number: int) -> None:
        """Serve another copy, which differs only in its digest, and wait until it is served."""
        before = self.client.ready().generation
        copy = _copied(self.bundle, self.folder, number)
        following = self.folder / "following"
        following.symlink_to(copy)
        following.rename(self.folder / "current")
        _until(lambda: self.client.ready().generation != before)
        shutil.rmtree(self.folder / f"copy-{number - 1}", ignore_errors=True)


@contextmanager
def served(bundle: Path, folder: Path, threads: int) -> Iterator[Server]:
    """Serve a copy of a ranker from a folder, at a free port, until the end of the block."""
    (folder / "current").symlink_to(_copied(bundle, folder, 0))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--threads", str(threads)]
    command = [sys.executable, "-c", COMMAND, "serve", str(folder / "current"), *options]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stderr=log)  # noqa: S603
    try:
        with Client(f"http://127.0.0.1:{port}") as client:
            _until(lambda: _ready(client))
            yield Server(psutil.Process(process.pid), client, bundle, folder)
    finally:
        process.terminate()
        process.wait()


def _ready(client: Client) -> bool:
    try:
        return client.ready().status == "ready"
    except ServiceError:
        return False


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > end:
            raise RulerankError(f"expected the server within {SECONDS} seconds. Is the machine busy?")
        time.sleep(0.05)


def _copied(bundle: Path, folder: Path, number: int) -> Path:
    copy = shutil.copytree(bundle, folder / f"copy-{number}")
    manifest = read_json(copy / MANIFEST)
    del manifest["digest"]
    manifest["data"] = manifest["data"] | {"copy": number}
    write_json(copy / MANIFEST, manifest | {"digest": digest(manifest)})
    return copy
