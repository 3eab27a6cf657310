"""The server's answers, compared with those of the ranker in this process."""

from __future__ import annotations

import json
from datetime import date

import numpy as np
import pytest
from starlette.testclient import TestClient

from rulerank.ranker import Ranker
from tests.serve.conftest import Kept

QUESTION = "What must the master do, and who has to be told before the vessel enters the harbour?"
DAY = "2100-01-01"


@pytest.mark.parametrize("further", [{}, {"model": "ranker_without_judgement"}, {"as_of": DAY}])
def test_rank_gives_the_scores_of_the_ranker(http: TestClient, ranker: Ranker, further: dict) -> None:
    said = http.post("/v1/rank", json={"question": QUESTION, "k": 20, "reasons": 2} | further).json()
    day = {"as_of": date.fromisoformat(DAY)} if "as_of" in further else {}
    expected = ranker.rank(QUESTION, 20, reasons=2, **further | day)
    assert said["generation"] == ranker.bundle.manifest["digest"][:12]
    assert [each["passage_id"] for each in said["passages"]] == [each.passage_id for each in expected]
    assert [each["rank"] for each in said["passages"]] == [each.rank for each in expected]
    for name in ("score", "probability"):
        found = [each[name] for each in said["passages"]]
        np.testing.assert_allclose(found, [getattr(each, name) for each in expected], atol=1e-6)
    assert [[reason["feature"] for reason in each["reasons"]] for each in said["passages"]] == [
        [reason.feature for reason in each.reasons] for each in expected
    ]
    assert [(each["text"], each["voided_by"]) for each in said["passages"]] == [
        (each.text, list(each.voided_by)) for each in expected
    ]


def test_missing_value_is_null(http: TestClient, ranker: Ranker) -> None:
    passages = http.post("/v1/rank", json={"question": QUESTION, "k": 20, "reasons": 50}).json()["passages"]
    values = [reason["value"] for each in passages for reason in each["reasons"]]
    expected = [reason.value for each in ranker.rank(QUESTION, 20, reasons=50) for reason in each.reasons]
    assert [value is None for value in values] == [bool(value) for value in np.isnan(expected)]
    assert None in values


def test_answer_is_that_of_the_ranker_with_its_passages(http: TestClient, ranker: Ranker) -> None:
    said = http.post("/v1/answer", json={"question": QUESTION}).json()
    expected = ranker.answer(QUESTION)
    assert said["answered"] is bool(expected.claims)
    assert [(each["text"], each["passages"]) for each in said["claims"]] == [
        (claim.text, list(claim.passages)) for claim in expected.claims
    ]
    assert [each["passage_id"] for each in said["passages"]] == [each.passage_id for each in expected.sources]
    assert said["abstained_because"] == expected.abstained_because


def test_rerank_has_the_shape_of_cohere(http: TestClient, ranker: Ranker) -> None:
    first, second, third = ranker.rank(QUESTION, 3)
    documents = [third.passage_id, {"text": first.text}, second.text]
    body = {"model": "any", "query": QUESTION, "documents": documents, "return_documents": False}
    said = http.post("/v1/rerank", json=body).json()
    assert [each["index"] for each in said["results"]] == [1, 2, 0]
    assert [set(each) for each in said["results"]] == [{"index", "relevance_score"}] * 3
    scores = [each["relevance_score"] for each in said["results"]]
    assert scores == sorted(scores, reverse=True)
    given = [third.passage_id, first.text, second.text]
    expected = [each.probability for each in ranker.rerank(QUESTION, given)]
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    shorter = http.post("/v1/rerank", json=body | {"top_n": 1}).json()
    assert shorter["results"] == said["results"][:1]


def test_explain_holds_one_passage_against_another(http: TestClient, ranker: Ranker) -> None:
    first, second = (each.passage_id for each in ranker.rank(QUESTION, 2))
    body = {"question": QUESTION, "passage_id": first}
    said = http.post("/v1/explain", json=body | {"against": second}).json()
    expected = ranker.explain(QUESTION, first, second)
    assert [each["feature"] for each in said["differences"]] == [
        each.feature for each in expected.differences
    ]
    found = [each["contribution"] for each in said["contributions"]]
    np.testing.assert_allclose(found, [each.contribution for each in expected.contributions], atol=1e-6)
    assert (said["passage"]["rank"], said["against"]["rank"]) == (1, 2)
    alone = http.post("/v1/explain", json=body).json()
    assert (alone["against"], alone["differences"]) == (None, [])


def test_judgement_is_one_line_of_the_feedback_file(kept: Kept, ranker: Ranker) -> None:
    passage = ranker.rank(QUESTION, 1)[0].passage_id
    before = len(kept.feedback.read_text().splitlines()) if kept.feedback.exists() else 0
    for accepted in (True, False):
        body = {"question": "Who\nis told?", "passage_id": passage, "accepted": accepted}
        assert kept.http.post("/v1/feedback", json=body).json()["kept"] is True
    lines = [json.loads(line) for line in kept.feedback.read_text().splitlines()[before:]]
    assert [(each["question"], each["passage_id"], each["relevance"]) for each in lines] == [
        ("Who\nis told?", passage, 1),
        ("Who\nis told?", passage, 0),
    ]
    assert all(set(each) == {"question", "passage_id", "relevance", "at"} for each in lines)


def test_audit_holds_the_question_and_its_grounds(kept: Kept, ranker: Ranker) -> None:
    named = {"x-request-id": "audited-1"}
    kept.http.post("/v1/rank", json={"question": QUESTION, "k": 2}, headers=named)
    kept.http.post("/v1/answer", json={"question": QUESTION}, headers=named)
    lines = [json.loads(line) for line in kept.audit.read_text().splitlines()]
    ranked, answered = (each for each in lines if each["request_id"] == "audited-1")
    assert ranked["question"] == answered["question"] == QUESTION
    assert ranked["bundle"] == answered["bundle"] == ranker.bundle.manifest["digest"]
    expected = [{"passage_id": each.passage_id, "score": each.score} for each in ranker.rank(QUESTION, 2)]
    assert ranked["passages"] == expected
    assert [each["passage_id"] for each in answered["evidence"]] == [
        each.passage_id for each in ranker.answer(QUESTION).sources
    ]


@pytest.mark.parametrize(("route", "status"), [("healthz", "alive"), ("readyz", "ready")])
def test_health_names_the_generation(http: TestClient, ranker: Ranker, route: str, status: str) -> None:
    response = http.get(f"/{route}")
    generation = ranker.bundle.manifest["digest"][:12]
    assert response.json() == {"status": status, "generation": generation}
    assert response.headers["x-generation"] == generation


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics", "/", "/page.js", "/openapi.json"])
def test_monitor_may_ask_for_the_head_alone(http: TestClient, path: str) -> None:
    response = http.head(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == http.get(path).headers["content-type"]


def test_request_keeps_the_id_that_its_caller_gave(http: TestClient) -> None:
    assert http.get("/healthz", headers={"x-request-id": "a-1.b"}).headers["x-request-id"] == "a-1.b"
    other = http.get("/healthz", headers={"x-request-id": "a b\tc"}).headers["x-request-id"]
    assert len(other) == 32


def test_metrics_count_by_route_and_not_by_path(http: TestClient) -> None:
    http.get("/somebody/typed/this")
    http.post("/v1/rank", json={"question": QUESTION})
    http.post("/v1/rank", content=b"x" * (1 << 17))
    page = http.get("/metrics").text
    assert 'rulerank_requests_total{route="/v1/rank",status="200"}' in page
    assert 'rulerank_requests_total{route="/v1/rank",status="413"}' in page
    assert 'rulerank_requests_total{route="none",status="404"}' in page
    assert 'rulerank_request_seconds_bucket{le="0.1",route="/v1/rank"}' in page
    assert "somebody" not in page
