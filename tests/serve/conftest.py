from __future__ import annotations

import json
import logging
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from rulerank.bundle.manifest import digest
from rulerank.serve.app import create_app
from rulerank.serve.logs import JsonLines
from rulerank.serve.settings import ServeSettings


@dataclass
class Kept:
    """An application in this process, and the files that it adds to."""

    http: TestClient
    feedback: Path
    audit: Path


@pytest.fixture(scope="session")
def kept(bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    folder = tmp_path_factory.mktemp("serve")
    settings = ServeSettings(
        bundle=bundle, feedback=folder / "feedback.jsonl", audit=folder / "audit.jsonl", body=1 << 16
    )
    # A failure in the server must come back as a response, as from a real one.
    with TestClient(create_app(settings), raise_server_exceptions=False) as http:
        yield Kept(http, folder / "feedback.jsonl", folder / "audit.jsonl")


@pytest.fixture(scope="session")
def http(kept: Kept) -> TestClient:
    return kept.http


@contextmanager
def _listening(settings: ServeSettings) -> Iterator[str]:
    config = uvicorn.Config(create_app(settings), port=0, log_config=None, access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def listening() -> Callable[..., Any]:
    """Serve on a free port, in a thread, as a context that gives the address."""
    return _listening


@pytest.fixture(scope="session")
def another() -> Callable[[Path, Path, str], Path]:
    """Copy a bundle as another generation: the same ranker with another digest."""

    def _another(bundle: Path, folder: Path, name: str) -> Path:
        shutil.copytree(bundle, folder)
        manifest = json.loads((folder / "manifest.json").read_text())
        del manifest["digest"]
        manifest["data"] = manifest["data"] | {"name": name}
        (folder / "manifest.json").write_text(json.dumps(manifest | {"digest": digest(manifest)}))
        return folder

    return _another


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
