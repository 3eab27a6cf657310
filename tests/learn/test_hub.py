from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulerank.errors import InputError
from rulerank.learn import hub


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A hub that does not answer, and a cache without models."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)


@pytest.fixture
def mute(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hub that accepts connections but never replies."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr(hub, "SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        yield


@pytest.mark.parametrize("name", ["nope", "no/such-model", "not a name"])
@pytest.mark.usefixtures("silent")
def test_model_that_cannot_be_had_is_refused_at_once(name: str) -> None:
    begin = time.monotonic()
    with pytest.raises(
        InputError, match=rf"^{name}: expected a folder, or a model of the hub, found no such"
    ):
        hub.require_model(name, "cross-encoder")
    assert time.monotonic() - begin < 2


@pytest.mark.usefixtures("mute")
def test_hub_that_does_not_answer_is_not_waited_for() -> None:
    assert hub.local_only("no/such-model")


@pytest.mark.usefixtures("silent")
def test_folder_needs_no_hub(tmp_path: Path) -> None:
    hub.require_model(str(tmp_path), "cross-encoder")


@pytest.mark.parametrize("name", ["some/model", "model"])
@pytest.mark.usefixtures("silent")
def test_model_that_was_fetched_before_needs_no_hub(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "cache" / "models--some--model"
    (folder / "snapshots" / "abc").mkdir(parents=True)
    (folder / "snapshots" / "abc" / "config.json").write_text("{}")
    (folder / "refs").mkdir()
    (folder / "refs" / "main").write_text("abc")
    hub.require_model(name, "some")
