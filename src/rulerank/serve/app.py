"""The application: its routes, its page, and a ranker that can be replaced while it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, PlainTextResponse

import rulerank
from rulerank.errors import RulerankError
from rulerank.serve.faults import add_handlers
from rulerank.serve.generations import Generations
from rulerank.serve.guard import Guard
from rulerank.serve.logs import LOG, say
from rulerank.serve.metrics import Metrics
from rulerank.serve.replies import FaultReply, State
from rulerank.serve.routes import Service
from rulerank.serve.settings import ServeSettings
from rulerank.serve.work import Work

PAGE = Path(__file__).parent / "page"
PAGE_FILES = {"/": "index.html", "/page.css": "page.css", "/page.js": "page.js"}


def create_app(settings: ServeSettings) -> FastAPI:
    """Load the ranker and return the application that serves it.

    Raises
    ------
    BundleError
        The folder is not a bundle, or its content has changed since it was written.

    """
    generations, metrics = Generations(settings.bundle), Metrics()
    work = Work(settings.threads, settings.waiting, settings.deadline)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        metrics.serves(generations.current.name)
        say("serving", generation=generations.current.name)
        watch = asyncio.create_task(_watched(generations, metrics, settings.poll))
        yield
        watch.cancel()
        with suppress(asyncio.CancelledError):
            await watch
        metrics.workers.labels(generations.current.name).set(0)
        work.close()
        say("stopped")

    # FastAPI's pages for the document load scripts from other servers; /openapi.json needs none.
    app = FastAPI(
        title="rulerank",
        version=rulerank.__version__,
        description="Ranks the passages of a corpus of rules for any question, and answers from them.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        # The address of a redirection would be whatever the sender gave as the host.
        redirect_slashes=False,
    )
    add_handlers(app)
    app.include_router(Service(settings, work, metrics).router())
    _add_health(app, metrics)
    _add_page(app)
    paths = frozenset([*app.openapi()["paths"], *PAGE_FILES, app.openapi_url])
    app.add_middleware(Guard, settings=settings, generations=generations, metrics=metrics, paths=paths)
    return app


def app_of_environment() -> FastAPI:
    """Return the application of one of several workers; without a ranker, it ends after a while."""
    settings = ServeSettings.of_environment()
    try:
        return create_app(settings)
    except RulerankError as error:
        LOG.error("worker cannot load the ranker", extra={"fields": {"because": str(error)}})
        # Another worker is started at once.
        time.sleep(settings.poll)
        raise SystemExit(1) from error


async def _watched(generations: Generations, metrics: Metrics, poll: float) -> None:
    """Poll for another generation, and put it in place of the current one."""
    while True:
        await asyncio.sleep(poll)
        before = generations.current.name
        try:
            changed = await asyncio.to_thread(generations.refresh)
        except Exception as error:
            metrics.swaps.labels("refused").inc()
            LOG.error("generation refused", extra={"fields": {"kept": before, "because": str(error)}})
            continue
        if changed:
            metrics.swaps.labels("done").inc()
            metrics.serves(generations.current.name, before)
            say("generation changed", generation=generations.current.name, before=before)


def _add_health(app: FastAPI, metrics: Metrics) -> None:
    faults: dict[int | str, dict[str, Any]] = {"default": {"model": FaultReply, "description": "An error."}}

    @app.head("/healthz", include_in_schema=False)
    @app.get("/healthz", operation_id="healthz", summary="Liveness", responses=faults)
    async def healthz(request: Request) -> State:
        """Report that the process is alive."""
        return State(status="alive", generation=request.scope["asked"].generation.name)

    @app.head("/readyz", include_in_schema=False)
    @app.get("/readyz", operation_id="readyz", summary="Readiness", responses=faults)
    async def readyz(request: Request) -> State:
        """Report that a ranker is loaded; nothing is answered before that."""
        return State(status="ready", generation=request.scope["asked"].generation.name)

    @app.head("/metrics", include_in_schema=False)
    @app.get(
        "/metrics",
        response_class=PlainTextResponse,
        operation_id="metrics",
        summary="Metrics",
        responses=faults,
    )
    async def shown() -> Response:
        """Return the metrics for Prometheus."""
        return Response(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_page(app: FastAPI) -> None:
    def show(path: Path) -> FileResponse:
        return FileResponse(path, headers={"cache-control": "no-cache"})

    for route, name in PAGE_FILES.items():
        app.add_api_route(
            route,
            lambda path=PAGE / name: show(path),
            methods=["GET", "HEAD"],
            include_in_schema=False,
            response_model=None,
        )
