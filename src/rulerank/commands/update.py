"""The command `rulerank update`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rulerank.commands.arguments import AsJson, BundlePath, Threads
from rulerank.commands.output import print_json, shortened, warn_of_replaced
from rulerank.console import say

if TYPE_CHECKING:
    from rulerank.upkeep import Touched

SHOWN = 20
"""The most affected questions and answers printed; --json has all."""


def update(
    bundle: BundlePath,
    changes: Annotated[
        Path,
        typer.Argument(
            metavar="CHANGES", help="JSON Lines: passages added, amended, withdrawn; documents named."
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Folder of the new bundle, which replaces one there; by default it replaces BUNDLE."
        ),
    ] = None,
    audit: Annotated[
        list[Path] | None,
        typer.Option("--audit", help="Answers recorded by `rulerank answer --audit`; may be repeated."),
    ] = None,
    threads: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Add, amend and withdraw passages of an exported ranker, without training.

    Only new texts are embedded; everything that counts passages is counted again. An update that is
    interrupted, or that changes nothing, leaves the old bundle as it is. Prints which judged questions rest
    on changed passages, and which recorded answers rest on passages that have changed, are now void, or are
    in force again.

    Example: rulerank update outputs/bundle changes.jsonl --audit audit.jsonl
    """
    from rulerank.bundle import known_as
    from rulerank.upkeep import update_bundle

    replaced = None if out is None or out.resolve() == bundle.resolve() else known_as(out)
    done = update_bundle(bundle, changes, out, audits=audit or (), threads=threads)
    warn_of_replaced(out or bundle, replaced)
    counts = done.changes.counts
    if as_json:
        touched = {"answers": done.answers, "questions": done.questions}
        print_json({**counts, **{name: [asdict(each) for each in found] for name, found in touched.items()}})
        return
    counted = ", ".join(f"{count} {name}" for name, count in counts.items())
    say(f"{out or bundle}: {'the same ranker, since nothing changes' if done.changes.empty else counted}")
    _print("recorded answers", done.answers)
    _print("judged questions", done.questions)


def _print(kind: str, touched: Sequence[Touched]) -> None:
    if not touched:
        return
    say(f"\n{len(touched)} {kind} rest on what has changed:")
    for each in touched[:SHOWN]:
        because = "; ".join(f"{what} {', '.join(ids)}" for what, ids in each.because.items())
        named = " ".join(filter(None, [each.source, each.query_id, shortened(each.question, 80)]))
        say(f"  {named}: {because}")
    if len(touched) > SHOWN:
        say(f"  and {len(touched) - SHOWN} more; --json has all")
