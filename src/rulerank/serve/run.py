"""Starts a server, in one process or several."""

from __future__ import annotations

import errno
import os
import socket
import tempfile
from contextlib import suppress
from typing import Any

import uvicorn
from uvicorn.supervisors import Multiprocess

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
    options: dict[str, Any] = {
        "host": host,
        "port": port,
        "log_config": CONFIGURATION,
        "access_log": False,
        "server_header": False,
        # Given a library for WebSockets, uvicorn would log addresses and paths of those who ask for one.
        "ws": "none",
        "timeout_keep_alive": IDLE,
        "timeout_graceful_shutdown": GRACE,
        "timeout_worker_healthcheck": STARTING,
    }
    if workers == 1:
        from rulerank.serve.app import create_app

        served = create_app(settings)
        require_address(host, port)
        uvicorn.run(served, **options)
        return
    # A worker that cannot load the ranker would be restarted for ever; here the cause is named once.
    Ranker.load(settings.bundle)
    require_address(host, port)
    with tempfile.TemporaryDirectory(prefix="rulerank-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        os.environ[ENVIRONMENT] = settings.model_dump_json()
        app = "rulerank.serve.app:app_of_environment"
        config = uvicorn.Config(app, factory=True, workers=workers, **options)
        _Workers(config, [config.bind_socket()]).run()


class _Workers(Multiprocess):
    """Several processes at one socket, none of which leaves a connection waiting there when they stop."""

    def terminate_all(self) -> None:
        # The workers close theirs. At this one, clients would wait in vain until the last worker ends.
        for each in self.sockets:
            each.close()
        super().terminate_all()


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
