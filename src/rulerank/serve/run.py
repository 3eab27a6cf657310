"""Starts a server, in one process or several."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from contextlib import suppress
from functools import partial

import uvicorn

from rulerank.errors import InputError
from rulerank.ranker import Ranker
from rulerank.serve.lines import require_lines
from rulerank.serve.logs import CONFIGURATION
from rulerank.serve.settings import ENVIRONMENT, ServeSettings

MANY = 10_240
"""Connections that are allowed where a system does not say how many it allows."""

GRACE, STARTING = 10, 60
"""Seconds that requests have to finish when the server is told to stop, and workers to start."""

IDLE = 75
"""Seconds for which an idle connection is kept. Proxies keep theirs for 60, and might otherwise send a
request into one that is being closed."""


def serve(settings: ServeSettings, host: str, port: int, workers: int) -> None:
    """Serve until a signal to stop; requests that have begun are answered.

    Raises
    ------
    BundleError
        The folder is not a bundle, or its content has changed since it was written.
    InputError
        A file of feedback or audit cannot be appended to, or the address is not available.

    """
    require_lines(settings.bundle, feedback=settings.feedback, audit=settings.audit)
    _allow_connections()
    start = partial(
        uvicorn.run,
        host=host,
        port=port,
        log_config=CONFIGURATION,
        access_log=False,
        server_header=False,
        # Given a library for WebSockets, uvicorn would log addresses and paths of those who ask for one.
        ws="none",
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=STARTING,
    )
    if workers == 1:
        from rulerank.serve.app import create_app

        app = create_app(settings)
        require_address(host, port)
        start(app)
        return
    # A worker that cannot load the ranker would be restarted for ever; here the cause is named once.
    Ranker.load(settings.bundle)
    require_address(host, port)
    with tempfile.TemporaryDirectory(prefix="rulerank-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        os.environ[ENVIRONMENT] = settings.model_dump_json()
        start("rulerank.serve.app:app_of_environment", factory=True, workers=workers)


def _allow_connections() -> None:
    """Raise the number of files and connections that the process may have open to what the system allows."""
    try:
        import resource  # not every system has it
    except ImportError:
        return
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems state no limit and then refuse it.
    for wanted in (most, max(now, MANY)):
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
            return


def require_address(host: str, port: int) -> None:
    """Raise InputError if the address is not available; uvicorn would only say so among its log lines."""
    elsewhere = InputError(
        "--host", f"expected an address of this machine, found {host!r}. Give one such as 127.0.0.1."
    )
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise elsewhere from error
    try:
        socket.create_server(place[:2], family=family).close()
    except OSError as error:
        if error.errno == errno.EADDRNOTAVAIL:
            raise elsewhere from error
        raise InputError(
            "serve",
            f"expected a free port at {host}, found {port}: {error.strerror}. Choose another.",
        ) from error
