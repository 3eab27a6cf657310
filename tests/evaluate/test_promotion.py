"""The promotion gate, on an MLflow store."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.evaluate.measures import MEASURES
from rulerank.evaluate.promotion import Gate, promote
from rulerank.evaluate.tracking import use_store

GATE = Gate(permutations=500)
GOOD = np.linspace(0.2, 0.7, 40)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    # MLflow takes ten seconds to make a store in a database.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    address = f"file:{tmp_path / 'store'}"
    use_store(address)
    return address


@pytest.fixture
def register(store: str, tmp_path: Path) -> Callable[..., str]:
    """Track an evaluation and register a ranker and a scorer of its run as the candidate; return the run."""
    import mlflow

    client = mlflow.MlflowClient()
    for name in ("rules", "rules-features"):
        client.create_registered_model(name)

    def _register(values: np.ndarray, protocol: str = "published", **facts: Any) -> str:
        scores = pl.DataFrame(
            {
                "run": "ranker",
                "split": "validation",
                "query_id": [f"q{number}" for number in range(len(values))],
                **dict.fromkeys(MEASURES, values),
            }
        )
        with mlflow.start_run(experiment_id="0") as run:  # another test may have chosen one
            path = tmp_path / "per_query.parquet"
            scores.write_parquet(path)
            mlflow.log_artifact(str(path))
            if facts:
                asked = scores.select("query_id", "split", **{key: pl.lit(v) for key, v in facts.items()})
                asked.write_parquet(tmp_path / "queries.parquet")
                mlflow.log_artifact(str(tmp_path / "queries.parquet"))
            mlflow.log_params({"data.name": "harbour", "prepare.protocol": protocol})
        for name in ("rules", "rules-features"):
            made = client.create_model_version(name, f"{tmp_path}/model", run.info.run_id)
            client.set_registered_model_alias(name, "candidate", made.version)
        return str(run.info.run_id)

    return _register


def _champions() -> list[str]:
    import mlflow

    client = mlflow.MlflowClient()
    return [
        client.get_model_version_by_alias(name, "champion").run_id for name in ("rules", "rules-features")
    ]


def test_first_candidate_becomes_the_champion(register: Callable[..., str], store: str) -> None:
    run = register(GOOD)
    assert promote("rules", "candidate", store, GATE).promoted
    assert _champions() == [run, run]
    again = promote("rules", "candidate", store, GATE)
    assert not again.promoted
    assert "of the champion's own run" in again.reason


def test_first_champion_needs_figures_of_the_split(register: Callable[..., str], store: str) -> None:
    register(GOOD)
    with pytest.raises(InputError, match="nope"):
        promote("rules", "candidate", store, dataclasses.replace(GATE, split="nope"))


def test_candidate_that_is_better_on_the_same_questions_takes_over(
    register: Callable[..., str], store: str
) -> None:
    register(GOOD)
    promote("rules", "candidate", store, GATE)
    run = register(GOOD + 0.1)
    decision = promote("rules", "candidate", store, GATE)
    assert decision.promoted
    assert "nDCG@10 +0.1000 (+0.1000 to +0.1000), p = 0.0020" in decision.reason
    assert _champions() == [run, run]


@pytest.mark.parametrize("named", ["2", "3"])
def test_version_that_was_named_takes_over_if_its_run_was_registered_twice(
    named: str, register: Callable[..., str], store: str, tmp_path: Path
) -> None:
    import mlflow

    register(GOOD)
    promote("rules", "candidate", store, GATE)
    run = register(GOOD + 0.1)
    client = mlflow.MlflowClient()
    for name in ("rules", "rules-features"):
        client.create_model_version(name, f"{tmp_path}/model", run)
    decision = promote("rules", named, store, GATE)
    assert decision.reason.startswith(f"version {named} against champion 1 on 40 validation questions")
    champions = [client.get_model_version_by_alias(name, "champion") for name in ("rules", "rules-features")]
    # Of what was not named, the newest version of the run counts.
    assert [str(each.version) for each in champions] == [named, "3"]


@pytest.mark.parametrize(
    ("values", "protocol", "reason"),
    [
        (GOOD - 0.1, "published", "nDCG@10 -0.1000"),
        (GOOD + np.where(np.arange(40) % 2, 0.1, -0.09), "published", "expected a gain with p < 0.05"),
        (GOOD[:39] + 0.1, "published", "39 questions; harbour, published, 40 questions"),
        (GOOD + 0.1, "random", "no comparison: .* measured on different validation questions"),
    ],
    ids=["worse", "no difference to speak of", "fewer questions", "other protocol"],
)
def test_candidate_that_does_not_pass_leaves_the_champion(
    values: np.ndarray, protocol: str, reason: str, register: Callable[..., str], store: str
) -> None:
    champion = register(GOOD)
    promote("rules", "candidate", store, GATE)
    register(values, protocol)
    decision = promote("rules", "candidate", store, GATE)
    assert not decision.promoted
    assert pl.Series([decision.reason]).str.contains(reason).all(), decision.reason
    assert _champions() == [champion, champion]


@pytest.mark.parametrize(
    ("before", "now", "passes"),
    [
        ({"text": "Who?", "judged": "p1"}, {"text": "Who?", "judged": "p1"}, True),
        ({"text": "Who?", "judged": "p1"}, {"text": "When?", "judged": "p1"}, False),
        ({"text": "Who?", "judged": "p1"}, {"text": "Who?", "judged": "p2"}, False),
        ({"text": "Who?"}, {"text": "Who?", "judged": "p2"}, True),
        ({"text": "Who?"}, {"text": "When?", "judged": "p2"}, False),
        ({}, {"text": "When?", "judged": "p2"}, True),
    ],
)
def test_questions_of_the_same_ids_must_be_the_same_as_far_as_they_are_known(
    before: dict[str, str], now: dict[str, str], passes: bool, register: Callable[..., str], store: str
) -> None:
    register(GOOD, **before)
    promote("rules", "candidate", store, GATE)
    register(GOOD + 0.1, **now)
    decision = promote("rules", "candidate", store, GATE)
    assert decision.promoted == passes
    assert ("different validation questions, texts or relevant passages" in decision.reason) != passes


def test_version_without_a_run_is_an_error(store: str, tmp_path: Path) -> None:
    import mlflow

    client = mlflow.MlflowClient()
    client.create_registered_model("foreign")
    client.create_model_version("foreign", f"{tmp_path}/model")
    with pytest.raises(InputError, match=r"foreign 1: expected a version that .* found one without a run"):
        promote("foreign", "1", store, GATE)


def test_command_says_why_not_and_fails(
    register: Callable[..., str], store: str, call: Callable[..., Any], tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text("evaluate: {permutations: 500}\n")
    register(GOOD)
    options = ("--store", store, "--model", "rules")
    said = call("promote", *options)
    assert (said.code, said.out) == (0, "promoted: version 1 is the first champion\n")
    register(GOOD)
    said = call("promote", "2", *options)
    assert said.code == 1
    assert said.out.startswith("not promoted: version 2 against champion 1 on 40 validation questions")


@pytest.mark.parametrize("name", ["candidate", "7"])
def test_version_that_is_not_there_is_an_error(name: str, register: Callable[..., str], store: str) -> None:
    with pytest.raises(InputError, match=f"expected a registered version '{name}'"):
        promote("rules", name, store, GATE)


def test_version_is_numbered_in_digits_of_ascii(register: Callable[..., str], store: str) -> None:
    register(GOOD)
    with pytest.raises(InputError, match="expected a registered version '١'"):
        promote("rules", "١", store, GATE)
    assert promote("rules", "1", store, GATE).promoted


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, str], str]]:
    """Serve a store over HTTP that has a candidate and answers with an error when asked for the champion."""
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    said: dict[str, tuple[int, Any]] = {
        "candidate": (200, {"model_version": {"name": "rules", "version": "2", "run_id": "r2"}})
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = said.get(self.path.rpartition("alias=")[2], (200, {}))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *arguments: Any) -> None:
            """Keep the tests' output quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()

        def _failing(status: int, code: str) -> str:
            said["champion"] = (status, {"error_code": code, "message": "no more than this"})
            return f"http://ann:s3cret@127.0.0.1:{server.server_port}"

        yield _failing
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "code"),
    [(403, "PERMISSION_DENIED"), (400, "BAD_REQUEST"), (503, "TEMPORARILY_UNAVAILABLE")],
)
def test_registry_that_fails_is_not_one_without_a_champion(
    registry: Callable[[int, str], str], status: int, code: str
) -> None:
    with pytest.raises(InputError, match="expected a model registry that responds, found none") as raised:
        promote("rules", "candidate", registry(status, code), GATE)
    assert "s3cret" not in str(raised.value)
    assert raised.value.__suppress_context__


def test_store_that_is_not_there_is_an_error_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"misspelt\.db: expected an MLflow store, found no file"):
        promote("rules", "candidate", f"sqlite:///{tmp_path}/misspelt.db", GATE)
    assert not list(tmp_path.iterdir())


def test_store_that_does_not_answer_is_an_error_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    with pytest.raises(InputError, match="expected an MLflow store that responds") as raised:
        use_store("http://ann:s3cret@127.0.0.1:9")
    assert "s3cret" not in str(raised.value)
    assert raised.value.__suppress_context__
