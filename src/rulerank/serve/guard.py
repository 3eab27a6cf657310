"""The frame of every request: its limits, its id, its line in the log, and an answer in any case."""

from __future__ import annotations

import asyncio
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulerank.serve.faults import RequestError, error_response
from rulerank.serve.generations import Generation, Generations
from rulerank.serve.logs import LOG, say
from rulerank.serve.metrics import Metrics
from rulerank.serve.settings import ServeSettings

OFTEN = frozenset({"/healthz", "/readyz", "/metrics"})
"""Routes that monitors call every few seconds; they are logged only if they fail."""

UNEXPECTED = RequestError(500, "internal", "Something failed. The server's log has this request's id.")

STOPPING = RequestError(503, "stopping", "The server is stopping before it could answer. Try another one.")

_NAME = re.compile(r"[\w.-]{1,64}", re.ASCII)

_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
}


@dataclass
class RequestInProgress:
    """One request in progress.

    Parameters
    ----------
    request_id : str
        The caller's id, if it sent one.
    generation : Generation
        The generation that answers it, to its end.
    fields : dict, optional
        What its route adds to its line in the log.

    """

    request_id: str
    generation: Generation
    fields: dict[str, Any] = field(default_factory=dict)


class Guard:
    """The outermost layer of the application.

    Parameters
    ----------
    app : ASGI application
        The application that answers.
    settings : ServeSettings
        The limits.
    generations : Generations
        The rankers.
    metrics : Metrics
        Counts requests.
    paths : frozenset of str
        The paths of the routes. No other path is counted or logged: it is whatever somebody typed.

    """

    def __init__(
        self,
        app: ASGIApp,
        settings: ServeSettings,
        generations: Generations,
        metrics: Metrics,
        paths: frozenset[str],
    ) -> None:
        self._app, self._settings = app, settings
        self._generations, self._metrics = generations, metrics
        self._paths = paths

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, began = Headers(scope=scope), time.perf_counter()
        asked = RequestInProgress(_request_id(headers), self._generations.current)
        scope["asked"] = asked
        status, body = 0, None

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = {"x-request-id": asked.request_id, "x-generation": asked.generation.name}
                # The rest of a body that was refused would hold the connection, or pass for another request.
                closing = {"connection": "close"} if body is None else {}
                MutableHeaders(scope=message).update(_HEADERS | own | closing)
            await send(message)

        with self._metrics.at_work.track_inprogress():
            try:
                body = await self._body(headers, receive)
                await self._app(scope, _again(body, receive), answered)
            except RequestError as error:
                await error_response(error, asked.request_id)(scope, receive, answered)
            except asyncio.CancelledError:
                # The server stops, and the time that requests have to finish is over.
                if not status:
                    await error_response(STOPPING, asked.request_id)(scope, receive, answered)
            except Exception:
                LOG.exception("failed", extra={"fields": {"request_id": asked.request_id}})
                if not status:
                    await error_response(UNEXPECTED, asked.request_id)(scope, receive, answered)
        self._noted(scope, asked, status, time.perf_counter() - began)

    async def _body(self, headers: Headers, receive: Receive) -> bytes:
        """Return the whole body, which must be in time, within the limit and JSON."""
        if _has_two_lengths(headers):
            raise RequestError(
                400, "bad_request", "Expected Content-Length or Transfer-Encoding, found both. Send one."
            )
        most, parts, size = self._settings.body, [], 0
        too_large = RequestError(
            413, "too_large", f"Expected a body of at most {most} bytes, found more. Send less."
        )
        if int(headers.get("content-length", 0)) > most:
            raise too_large
        try:
            async with asyncio.timeout(self._settings.deadline):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RequestError(
                            400,
                            "cut_off",
                            "Expected the whole body, found only a part of it. Send it again.",
                        )
                    part = message.get("body", b"")
                    size += len(part)
                    if size > most:
                        raise too_large
                    parts.append(part)
                    if not message.get("more_body"):
                        break
        except TimeoutError as error:
            seconds = f"{self._settings.deadline:g} seconds"
            raise RequestError(
                408,
                "too_slow",
                f"Expected the whole body within {seconds}, found a part of it. Send it again, or send less.",
            ) from error
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if size and kind != "application/json":
            raise RequestError(
                415, "not_json", "Expected Content-Type: application/json, found another. Set it."
            )
        return b"".join(parts)

    def _noted(self, scope: Scope, asked: RequestInProgress, status: int, seconds: float) -> None:
        route = scope["path"] if scope["path"] in self._paths else "none"
        self._metrics.requests.labels(route, status).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        if route in OFTEN and status < 400:
            return
        say(
            "request",
            request_id=asked.request_id,
            method=scope["method"][:16],
            route=route,
            status=status,
            milliseconds=round(1000 * seconds, 2),
            generation=asked.generation.name,
            **asked.fields,
        )


def _request_id(headers: Headers) -> str:
    """Return the caller's request id if it is valid, or a new one."""
    given = headers.get("x-request-id", "")
    return given if _NAME.fullmatch(given) else uuid.uuid4().hex


def _has_two_lengths(headers: Headers) -> bool:
    """Return whether a proxy may have seen this request end elsewhere, and another request after it."""
    return "content-length" in headers and "transfer-encoding" in headers


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives an application a body already read, and then the messages after it."""
    message: Message | None = {"type": "http.request", "body": body, "more_body": False}

    async def first() -> Message:
        nonlocal message
        given, message = message, None
        return await receive() if given is None else given

    return first
