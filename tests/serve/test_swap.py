"""One generation of the ranker after another, while requests come in."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rulerank.errors import BundleError
from rulerank.serve import generations
from rulerank.serve.client import Client
from rulerank.serve.generations import Generations
from rulerank.serve.settings import ServeSettings

QUESTION = "Who has to keep the register, and for how long?"
THREADS, SWAPS = 8, 2


def _turn(link: Path, folder: Path) -> None:
    """Point a link to another folder in one step."""
    following = link.with_name("following")
    following.symlink_to(folder)
    following.rename(link)


def test_no_request_fails_while_generations_change(
    bundle: Path, tmp_path: Path, another: Callable[..., Path], listening: Callable[..., Any]
) -> None:
    folders = [another(bundle, tmp_path / name, name) for name in ("a", "b")]
    link = tmp_path / "current"
    link.symlink_to(folders[0])
    ended, seen = Event(), []

    def ask(address: str) -> int:
        asked = 0
        with Client(address) as client:
            while not ended.is_set():
                reply = client.rank(QUESTION, 3)
                seen.append((reply.generation, tuple(each.score for each in reply.passages)))
                asked += 1
        return asked

    with (
        listening(ServeSettings(bundle=link, poll=0.02)) as address,
        Client(address) as client,
        ThreadPoolExecutor(THREADS) as pool,
    ):
        asking = [pool.submit(ask, address) for _ in range(THREADS)]
        names = [client.ready().generation]
        try:
            for swap in range(1, SWAPS + 1):
                _turn(link, folders[swap % 2])
                while client.ready().generation == names[-1]:
                    time.sleep(0.01)
                names.append(client.ready().generation)
        finally:
            ended.set()
        assert all(each.result() > 0 for each in asking)
    assert names == [names[0], names[1], names[0]]
    assert {name for name, _ in seen} == set(names)
    assert len({scores for _, scores in seen}) == 1


@pytest.fixture
def copied(bundle: Path, tmp_path: Path, another: Callable[..., Path]) -> Path:
    return another(bundle, tmp_path / "served", "first")


def test_same_folder_is_not_loaded_again(copied: Path) -> None:
    served = Generations(copied)
    before = served.current
    assert served.refresh() is False
    assert served.current is before


def test_bundle_that_replaces_the_folder_is_served(
    copied: Path, bundle: Path, tmp_path: Path, another: Callable[..., Path]
) -> None:
    served = Generations(copied)
    before = served.current
    another(bundle, tmp_path / "next", "second")
    copied.rename(tmp_path / "old")
    assert served.refresh() is False, "nothing is there for a moment"
    (tmp_path / "next").rename(copied)
    shutil.rmtree(tmp_path / "old")
    assert served.refresh() is True
    assert served.current.digest != before.digest
    # A request that began with the old generation finishes with it, though its files are gone.
    old, new = (each.ranker.rank(QUESTION, 3, reasons=0) for each in (before, served.current))
    assert old == new


def test_bundle_that_was_tampered_with_is_refused_and_the_old_one_stays(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Generations(copied)
    before, manifest = served.current, (copied / "manifest.json").read_text()
    (copied / "manifest.json").write_text(manifest.replace('"first"', '"other"'))
    with pytest.raises(BundleError):
        served.refresh()
    assert served.current is before
    assert served.refresh() is False, "it is left alone for a while"
    monkeypatch.setattr(generations, "RETRY", 0.0)
    (copied / "manifest.json").write_text(manifest.replace('"first"', '"third"'))
    for _ in range(2):
        with pytest.raises(BundleError):
            served.refresh()
    # The copy was still in progress; now it is complete.
    (copied / "manifest.json").write_text(manifest)
    assert served.refresh() is False
    assert served.current.digest == before.digest


def test_folder_that_stays_away_is_refused_once_and_again_later(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = Generations(copied)
    (copied / "manifest.json").rename(copied / "away")
    assert served.refresh() is False, "it may be between two renames"
    with pytest.raises(BundleError, match="expected an exported ranker"):
        served.refresh()
    assert served.refresh() is False, "it is left alone for a while"
    monkeypatch.setattr(generations, "RETRY", 0.0)
    served._retry_at = 0.0
    with pytest.raises(BundleError):
        served.refresh()
    (copied / "away").rename(copied / "manifest.json")
    assert served.refresh() is False
    assert served.current.ranker.rank(QUESTION, 1)


def test_server_does_not_start_without_a_bundle(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="expected an exported ranker"):
        Generations(tmp_path)
