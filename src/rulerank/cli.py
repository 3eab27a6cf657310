"""The command line: every command under its name."""

from __future__ import annotations

from typing import Annotated

import typer

from rulerank import __version__
from rulerank.commands.answer import answer
from rulerank.commands.authority import authority
from rulerank.commands.bundle import bundle
from rulerank.commands.citations import citations
from rulerank.commands.data import data
from rulerank.commands.evaluate import evaluate
from rulerank.commands.export import export
from rulerank.commands.feedback import feedback
from rulerank.commands.graph import graph
from rulerank.commands.index import index
from rulerank.commands.promote import promote
from rulerank.commands.rank import rank
from rulerank.commands.refwalk import refwalk
from rulerank.commands.serve import serve
from rulerank.commands.skew import skew
from rulerank.commands.update import update
from rulerank.console import reported, say

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Rank regulatory text: every passage that governs a question, in order.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(__version__)
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Rank regulatory text: every passage that governs a question, in order."""


for command in (rank, answer, serve, evaluate, refwalk, export, promote, skew, index, update, feedback):
    app.command()(command)
for group, name in (
    (bundle, "bundle"),
    (data, "data"),
    (graph, "graph"),
    (authority, "authority"),
    (citations, "citations"),
):
    app.add_typer(group, name=name)


def main() -> None:
    """Run the command line; rulerank's own errors print one message and exit with code 1."""
    with reported():
        app(prog_name="rulerank")
