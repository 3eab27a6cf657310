"""The command `rulerank feedback`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import say
from rulerank.errors import InputError
from rulerank.files import alone_in, require_outputs, write_text


def feedback(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSON Lines, or folders of them.")],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            help="The merged file; verdicts already in it are kept. No server may write to it.",
        ),
    ] = Path("data/feedback/users.jsonl"),
) -> None:
    """Check and merge users' verdicts on passages, for training.

    One object per line: question, passage_id, relevance (0, 1 or 2) and at, an ISO time. Of several verdicts
    on one question and passage, the last counts. Verdicts that are in the merged file already stay there.

    Example: rulerank feedback served.jsonl --out data/feedback/users.jsonl
    """
    from rulerank.bundle.destination import enclosing_bundle
    from rulerank.corpora.feedback import feedback_files, latest, read_verdicts
    from rulerank.text import normalise

    if out.suffix != ".jsonl":
        raise InputError(
            out, "expected a file that ends in .jsonl, since `prepare` reads no other. Rename it."
        )
    # A server that writes to a given file would go on writing to the one that is replaced.
    if out.resolve() in {file.resolve() for path in files for file in feedback_files(path)}:
        raise InputError(
            out,
            "expected another file than those to be merged, found one of them. Write to another file: its "
            "verdicts are kept.",
        )
    require_outputs(out, sealed=enclosing_bundle(out))
    # Each file is read once: what comes through a pipe is gone afterwards.
    given = {path: read_verdicts(path) for path in files}
    for path in files:
        if not given[path]:
            raise InputError(
                path,
                "expected one verdict per line, in this file or in the folder's *.jsonl, found none. "
                "Check the path.",
            )
    # Another merge into the same file waits: it must find these verdicts.
    with alone_in(out.parent):
        merged = read_verdicts(out) if out.exists() else []
        verdicts = latest([*merged, *(verdict for read in given.values() for verdict in read)])
        write_text(out, "".join(verdict.model_dump_json() + "\n" for verdict in verdicts))
    questions = {normalise(verdict.question) for verdict in verdicts}
    say(f"{out}: {len(verdicts)} verdicts on {len(questions)} questions")
