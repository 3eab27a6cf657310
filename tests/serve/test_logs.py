"""Failures inside: the response to a request, and the line in the log."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rulerank.ranker import Ranker
from rulerank.serve.app import app_of_environment
from rulerank.serve.logs import JsonLines
from rulerank.serve.settings import ENVIRONMENT, ServeSettings

QUESTION = "Who must keep the secret register?"


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
