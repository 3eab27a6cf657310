"""The server's routes under /v1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from rulerank.answer.records import answer_record, audit_record
from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.serve.faults import SAME, RequestError, of_input
from rulerank.serve.guard import RequestInProgress
from rulerank.serve.lines import add_record
from rulerank.serve.logs import LOG
from rulerank.serve.metrics import Metrics
from rulerank.serve.replies import (
    AnswerReply,
    ExplainReply,
    FaultReply,
    FeedbackReply,
    RankReply,
    RerankReply,
)
from rulerank.serve.requests import (
    AnswerRequest,
    ExplainRequest,
    FeedbackRequest,
    RankRequest,
    RerankRequest,
)
from rulerank.serve.settings import ServeSettings
from rulerank.serve.work import Work
from rulerank.text import normalise

FAULTS: dict[int | str, dict[str, Any]] = {
    400: {"model": FaultReply, "description": "The body was cut off, is not UTF-8, or has two lengths."},
    404: {"model": FaultReply, "description": "The corpus lacks the passage, or the server lacks the route."},
    408: {"model": FaultReply, "description": "The body did not arrive in time."},
    413: {"model": FaultReply, "description": "The body is too large."},
    415: {"model": FaultReply, "description": "The body is of another type."},
    422: {"model": FaultReply, "description": "The request does not match this document."},
    500: {"model": FaultReply, "description": "A fault of the server, which its log explains."},
    503: {
        "model": FaultReply,
        "description": "Too busy, or no disk space for its records.",
        "headers": {
            "Retry-After": {"description": "Seconds until the next try.", "schema": {"type": "integer"}}
        },
    },
}


class Service:
    """What the routes have in common.

    Parameters
    ----------
    settings : ServeSettings
        Settings of the server.
    work : Work
        The threads of the worker.
    metrics : Metrics
        Its counters.

    """

    def __init__(self, settings: ServeSettings, work: Work, metrics: Metrics) -> None:
        self._settings, self._work, self._metrics = settings, work, metrics

    def router(self) -> APIRouter:
        """Return the routes."""
        router = APIRouter(prefix="/v1", responses=FAULTS)
        for name, reply, route in (
            ("rank", RankReply, self.rank),
            ("answer", AnswerReply, self.answer),
            ("rerank", RerankReply, self.rerank),
            ("explain", ExplainReply, self.explain),
            ("feedback", FeedbackReply, self.feedback),
        ):
            router.post(f"/{name}", response_model=reply, operation_id=name, summary=route.__doc__)(route)
        return router

    async def rank(self, request: Request, body: RankRequest) -> Response:
        """Rank the passages that govern a question."""

        def ask(ranker: Ranker, asked: RequestInProgress) -> BaseModel:
            ranked = ranker.rank(
                body.question, body.k, reasons=body.reasons, model=body.model, as_of=body.as_of
            )
            self._audit(asked, "rank", question=body.question, passages=_scored(ranked))
            return RankReply(
                generation=asked.generation.name, passages=[asdict(passage) for passage in ranked]
            )

        return await self._answered(request, body.question, ask)

    async def answer(self, request: Request, body: AnswerRequest) -> Response:
        """Answer a question from the rules in force; each claim cites its passages."""

        def ask(ranker: Ranker, asked: RequestInProgress) -> BaseModel:
            answer = ranker.answer(body.question, body.k, model=body.model, as_of=body.as_of)
            if not answer.claims:
                self._metrics.unanswered.inc()
            record = answer_record("", answer)
            self._audit(asked, "answer", **audit_record("", answer, asked.generation.digest))
            passages = [asdict(source) for source in answer.sources]
            return AnswerReply(generation=asked.generation.name, passages=passages, **record)

        return await self._answered(request, body.question, ask)

    async def rerank(self, request: Request, body: RerankRequest) -> Response:
        """Order given passages of the corpus, by their ids or texts, in Cohere's format."""
        given = [each if isinstance(each, str) else each.text for each in body.documents]

        def ask(ranker: Ranker, asked: RequestInProgress) -> BaseModel:
            ranked = ranker.rerank(body.query, given, body.top_n)
            self._audit(asked, "rerank", question=body.query, passages=_scored(ranked))
            results = [{"index": each.index, "relevance_score": each.probability} for each in ranked]
            return RerankReply(generation=asked.generation.name, results=results)

        names = {"passages": "documents", "question": "query"}
        return await self._answered(request, body.query, ask, names)

    async def explain(self, request: Request, body: ExplainRequest) -> Response:
        """Return what every feature adds to the score of a passage, alone or compared with another."""

        def ask(ranker: Ranker, asked: RequestInProgress) -> BaseModel:
            explained = ranker.explain(
                body.question, body.passage_id, body.against, model=body.model, as_of=body.as_of
            )
            return ExplainReply(generation=asked.generation.name, **asdict(explained))

        return await self._answered(request, body.question, ask)

    async def feedback(self, request: Request, body: FeedbackRequest) -> Response:
        """Store a judgement: whether a passage answers a question."""
        file = self._settings.feedback
        if file is None:
            raise RequestError(
                404, "feedback_off", "This server keeps no judgements. Start it with --feedback FILE."
            )

        if not normalise(body.question):
            # A reader of the file could not tell it from other questions without words.
            raise RequestError(
                422, "invalid_request", "question: expected words, found only invisible characters."
            )

        def ask(ranker: Ranker, asked: RequestInProgress) -> BaseModel:
            ranker.require_passage(body.passage_id)
            judged = {
                "question": body.question,
                "passage_id": body.passage_id,
                "relevance": int(body.accepted),
                "at": _now(),
            }
            _record(file, judged, asked)
            return FeedbackReply(generation=asked.generation.name)

        return await self._answered(request, body.question, ask)

    async def _answered(
        self,
        request: Request,
        question: str,
        ask: Callable[[Ranker, RequestInProgress], BaseModel],
        called: Mapping[str, str] = SAME,
    ) -> Response:
        """Return the reply to a question, computed in a thread by the request's generation."""
        asked: RequestInProgress = request.scope["asked"]
        asked.fields["characters"] = len(question)
        if self._settings.log_questions:
            asked.fields["question"] = question

        def said() -> str:
            return ask(asked.generation.ranker, asked).model_dump_json()

        try:
            content = await self._work.done_unless_gone(said, _gone(request))
        except InputError as error:
            about = of_input(error, called)
            if about is None:
                raise
            raise about from error
        return Response(content, media_type="application/json", headers={"cache-control": "no-store"})

    def _audit(self, asked: RequestInProgress, route: str, **grounds: Any) -> None:
        """Record the answer and its grounds, if an audit file is set."""
        if self._settings.audit is not None:
            about = {"at": _now(), "request_id": asked.request_id, "route": route}
            _record(self._settings.audit, about | {"bundle": asked.generation.digest} | grounds, asked)


async def _gone(request: Request) -> None:
    """Return when the client has left; the body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        continue


def _record(path: Path, record: Mapping[str, Any], asked: RequestInProgress) -> None:
    """Record what a request leaves behind; what it cannot record, the server does not answer."""
    try:
        add_record(path, record)
    except (InputError, OSError) as error:
        LOG.error("not recorded", extra={"fields": {"request_id": asked.request_id, "because": str(error)}})
        raise RequestError(
            503, "not_recorded", "The server cannot keep its records. Try again later."
        ) from error


def _scored(ranked: Any) -> list[dict[str, Any]]:
    return [{"passage_id": each.passage_id, "score": each.score} for each in ranked]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
