"""The command `rulerank serve`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.arguments import BundlePath
from rulerank.errors import RulerankError
from rulerank.threads import VARIABLES


def serve(
    bundle: BundlePath,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8080,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Number of processes.")] = 1,
    threads: Annotated[
        int, typer.Option(min=1, max=64, help="Requests that each process handles in parallel.")
    ] = 2,
    deadline: Annotated[
        int, typer.Option(min=1, max=3600, help="Seconds after which a request is abandoned.")
    ] = 10,
    feedback: Annotated[
        Path | None,
        typer.Option(help="Add the judgements sent to /v1/feedback to this file, as JSON Lines."),
    ] = None,
    audit: Annotated[
        Path | None,
        typer.Option(help="Add every question, with its answer and what it rests on, to this file."),
    ] = None,
    log_questions: Annotated[bool, typer.Option(help="Include the questions in the log.")] = False,
) -> None:
    """Serve an exported ranker over HTTP, with a page for people at /.

    The folder may be replaced, or a link to it redirected, while the server runs. The server loads the new
    ranker beside the old one, checks it, and switches to it. It does not authenticate users: at any address
    other than this machine's own, put it behind a proxy that does.

    Example: rulerank serve outputs/bundle --port 8080
    """
    # Requests run in parallel: threads within each would get in one another's way.
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
    try:
        from rulerank.serve.run import serve as run
        from rulerank.serve.settings import ServeSettings
    except ModuleNotFoundError as error:
        raise RulerankError(
            f"expected the packages of a server, found no {error.name}. "
            "Install rulerank with its extra `serve`."
        ) from error
    settings = ServeSettings(
        bundle=bundle,
        threads=threads,
        deadline=deadline,
        feedback=feedback,
        audit=audit,
        log_questions=log_questions,
    )
    run(settings, host, port, workers)
