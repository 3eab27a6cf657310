"""The commands `rulerank data`: get the public data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import say
from rulerank.errors import InputError

data = typer.Typer(no_args_is_help=True, help="Get the public data sets.")


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="The data set: `obliqa`.")],
    to: Annotated[Path, typer.Option("--to", help="Folder to put the files in.")] = Path("data/obliqa"),
) -> None:
    """Download a public data set at its pinned revision and check every file; resumes where it stopped.

    Then: make reproduce DATA=data/obliqa
    """
    from rulerank.corpora import fetch as fetch_files
    from rulerank.corpora import obliqa_files

    if name != "obliqa":
        raise InputError(name, "expected the data set 'obliqa'. Run `rulerank data fetch obliqa`.")
    paths = fetch_files(obliqa_files(), to)
    say(f"{len(paths)} files in {to}")
