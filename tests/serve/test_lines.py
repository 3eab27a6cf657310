"""Records of questions and feedback, one line each."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulerank.errors import InputError
from rulerank.serve.app import create_app
from rulerank.serve.lines import add_record, require_lines
from rulerank.serve.settings import ServeSettings


def test_lines_of_many_threads_are_all_whole(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    record = {"text": "x" * 10_000 + "\n"}
    threads = [
        threading.Thread(target=lambda: [add_record(path, record) for _ in range(20)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [json.loads(line) for line in path.read_text().splitlines()] == [record] * 160
    assert path.stat().st_mode & 0o077 == 0


def test_file_that_nothing_can_be_added_to_is_named_at_the_start(tmp_path: Path) -> None:
    bundle, lines = tmp_path / "bundle", tmp_path / "lines.jsonl"
    require_lines(bundle, feedback=None, audit=lines)
    with pytest.raises(
        InputError, match=r"--audit: expected a file to add lines to at .*, found something else"
    ):
        require_lines(bundle, audit=tmp_path)
    with pytest.raises(InputError, match=r"--audit: expected a file outside of .*bundle, found .*lines"):
        require_lines(bundle, audit=bundle / "lines.jsonl")
    with pytest.raises(InputError, match=r"--audit: expected a file of its own, found .*lines\.jsonl again"):
        require_lines(bundle, feedback=lines, audit=lines)


def test_question_that_cannot_be_recorded_is_not_answered(
    bundle: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = ServeSettings(bundle=bundle, audit=tmp_path / "gone" / "audit.jsonl")
    with TestClient(create_app(settings)) as http:
        said = http.post("/v1/rank", json={"question": "Who keeps the register?"})
    assert (said.status_code, said.json()["error"]["code"]) == (503, "not_recorded")
    assert "gone" not in said.text
    (recorded,) = [each for each in caplog.records if each.message == "not recorded"]
    assert "No such file" in recorded.fields["because"]
