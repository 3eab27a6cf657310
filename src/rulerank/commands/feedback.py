"""The command `rulerank feedback`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rulerank.console import say
from rulerank.errors import InputError
from rulerank.files import require_outputs, write_text


def feedback(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSON Lines, or folders of them.")],
    out: Annotated[
        Path, typer.Option("--out", help="The merged file, which `prepare` reads; its verdicts are kept.")
    ] = Path("data/feedback/users.jsonl"),
) -> None:
    """Check and merge users' verdicts on passages, for training.

    One object per line: question, passage_id, relevance (0, 1 or 2) and at, an ISO time. Of several verdicts
    on one question and passage, the last counts. Verdicts that are in the merged file already stay there.

    Example: rulerank feedback served.jsonl --out data/feedback/users.jsonl
    """
    from rulerank.corpora.feedback import feedback_files, read_verdicts

    require_outputs(out, sealed=next(filter(_is_bundle, out.resolve().parents), None))
    for path in files:
        if not read_verdicts(feedback_files(path)):
            raise InputError(
                path,
                "expected one verdict per line, in this file or in the folder's *.jsonl, found none. "
                "Check the path.",
            )
    earlier = [out] if out.exists() else []
    verdicts = read_verdicts(each for path in (*earlier, *files) for each in feedback_files(path))
    write_text(out, "".join(verdict.model_dump_json() + "\n" for verdict in verdicts))
    questions = {verdict.question for verdict in verdicts}
    say(f"{out}: {len(verdicts)} verdicts on {len(questions)} questions")


def _is_bundle(folder: Path) -> bool:
    """Return whether a folder looks like an exported ranker, which must get no new file."""
    from rulerank.bundle.names import FEATURES, MANIFEST

    return all((folder / name).is_file() for name in (MANIFEST, FEATURES))
