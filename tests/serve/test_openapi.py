"""The OpenAPI document, and the server's responses to requests drawn from it."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from starlette.testclient import TestClient

ROUTES = ("rank", "answer", "rerank", "explain", "feedback")


@pytest.fixture(scope="session")
def document(http: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = http.get("/openapi.json").json()
    return found


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    ("route", "mode"),
    [*((route, GenerationMode.POSITIVE) for route in ROUTES), ("rerank", GenerationMode.NEGATIVE)],
)
def test_requests_drawn_from_the_document_are_answered_as_it_says(
    http: TestClient, document: dict[str, Any], route: str, mode: GenerationMode
) -> None:
    operation = schemathesis.openapi.from_dict(document)[f"/v1/{route}"]["POST"]

    @settings(
        max_examples=4,
        phases=[Phase.generate],
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(operation.as_strategy(generation_mode=mode))
    def ask(case: Case) -> None:
        # No server error, a status, a type and a body that the document names, bad requests refused.
        case.validate_response(http.request(**case.as_transport_kwargs(base_url=str(http.base_url))))

    ask()


def test_document_names_every_route(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == {
        *(f"/v1/{route}" for route in ROUTES),
        "/healthz",
        "/readyz",
        "/metrics",
    }
    assert {"400", "404", "408", "413", "415", "422", "500", "503"} < set(
        document["paths"]["/v1/rank"]["post"]["responses"]
    )
    assert set(document["paths"]["/metrics"]["get"]["responses"]["200"]["content"]) == {"text/plain"}
    assert document["paths"]["/v1/rank"]["post"]["summary"] == "Rank the passages that govern a question."


def test_document_describes_every_field(document: dict[str, Any]) -> None:
    bare = [
        f"{name}.{field}"
        for name, schema in document["components"]["schemas"].items()
        for field, about in schema["properties"].items()
        if not about.get("description")
    ]
    assert not bare
