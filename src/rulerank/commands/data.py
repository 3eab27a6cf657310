"""The commands `rulerank data`: get the public data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import say

data = typer.Typer(no_args_is_help=True, help="Get the public data sets.")


@data.command()
def fetch(
    name: Annotated[str, typer.Argument(help="The data set: `obliqa` or `searchfiresafety`.")],
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder to put the files in; by default data/NAME.")
    ] = None,
) -> None:
    """Download a public data set at its pinned revision and check every file; resumes where it stopped.

    For searchfiresafety no checksums are known beforehand: those of the first download are written to
    checksums.json and apply from then on.

    Next: make reproduce DATA=data/NAME
    """
    from rulerank.corpora import fetch as fetch_files
    from rulerank.corpora import published_files

    files = published_files(name)
    folder = to or Path("data") / name
    downloaded = len(fetch_files(files, folder))
    say(f"{folder}: {downloaded} files downloaded, {len(files) - downloaded} were there")
