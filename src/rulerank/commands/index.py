"""The command `rulerank index`."""

from __future__ import annotations

import shlex
import warnings
from pathlib import Path
from typing import Annotated

import typer

from rulerank.commands.arguments import Threads
from rulerank.commands.output import warn_of_replaced
from rulerank.console import say
from rulerank.errors import DataWarning


def index(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Folder of the corpus.")],
    ranker: Annotated[Path, typer.Option("--ranker", help="Folder of an exported ranker.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the new one; a ranker there is replaced.")],
    grammar: Annotated[
        str | None,
        typer.Option(
            help="How the corpus cites: english_rulebook, us_cfr, korean, a YAML file or auto; by default as "
            "in training."
        ),
    ] = None,
    threads: Threads = 1,
) -> None:
    """Apply an exported ranker to another corpus, without training.

    Passages are enough; no questions are needed. The new bundle ranks with `ranker_on_new_rules`.

    Example: rulerank index my-rules --ranker outputs/bundle --out my-bundle
    """
    from rulerank.bundle import known_as
    from rulerank.upkeep import index_corpus

    replaced = known_as(out)
    problems = index_corpus(corpus, ranker, out, grammar=grammar, threads=threads)
    for problem in problems:
        warnings.warn(problem, DataWarning, stacklevel=1)
    warn_of_replaced(out, replaced)
    say(f'{out}: ask it with `rulerank rank {shlex.quote(str(out))} "..."`')
