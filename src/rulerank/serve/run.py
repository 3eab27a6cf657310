"""A server started, in one process or several."""

from __future__ import annotations

import os
import socket
import tempfile
from functools import partial

import uvicorn

from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.serve.lines import require_lines
from rulerank.serve.logs import CONFIGURATION
from rulerank.serve.settings import ENVIRONMENT, ServeSettings

GRACE, STARTING = 10, 60
"""Seconds that requests have to come to their end when the server is told to stop, and workers to start."""


def serve(settings: ServeSettings, host: str, port: int, workers: int) -> None:
    """Serve until a signal says to stop; requests that have begun are answered.

    Raises
    ------
    BundleError
        The folder is no bundle, or not the one that was written.
    InputError
        Nothing can be added to a file of feedback or audit, or nobody can listen at the address.

    """
    require_lines(settings.bundle, feedback=settings.feedback, audit=settings.audit)
    start = partial(
        uvicorn.run,
        host=host,
        port=port,
        log_config=CONFIGURATION,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=STARTING,
    )
    if workers == 1:
        from rulerank.serve.app import create_app

        app = create_app(settings)
        require_address(host, port)
        start(app)
        return
    # A worker that cannot load the ranker would be started again for ever: the cause is named here, once.
    Ranker.load(settings.bundle)
    require_address(host, port)
    with tempfile.TemporaryDirectory(prefix="rulerank-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        os.environ[ENVIRONMENT] = settings.model_dump_json()
        start("rulerank.serve.app:app_of_environment", factory=True, workers=workers)


def require_address(host: str, port: int) -> None:
    """Raise InputError where nobody can listen: uvicorn would say so in the log, between other lines."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(place[:2], family=family).close()
    except OSError as error:
        raise InputError(
            "serve",
            f"expected a free port at {host}, found {port}: {error.strerror}. Choose another.",
        ) from error
