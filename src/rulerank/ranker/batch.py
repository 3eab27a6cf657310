"""Answers to many questions, one line each, in a file from which an interrupted run resumes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from rulerank.answer import Answer
from rulerank.answer.records import ANSWER_BEGINNING, AUDIT_BEGINNING, answer_record, audit_record
from rulerank.errors import InputError
from rulerank.files import add_line, extended_alone, json_line, make_folder, parse_json, write_text
from rulerank.threads import side_by_side

Asked = Sequence[tuple[str, str]]
"""Ids and texts of questions."""


def answer_all(
    asked: Asked,
    out: Path,
    common: Mapping[str, Any],
    answer: Callable[[str], Answer],
    audit: Path | None = None,
    workers: int = 1,
) -> Iterator[tuple[str, Answer]]:
    """Answer the questions that have no answer in a file yet, and append each answer as one line.

    Parameters
    ----------
    asked : sequence of (str, str)
        The questions.
    out : Path
        The file. A truncated last line is removed.
    common : mapping
        What all answers of a run share, repeated on each line: `as_of`, `bundle`, `model` and others.
    answer : callable
        Answers one question.
    audit : Path, optional
        The file of the grounds of the answers, which is resumed in the same way.
    workers : int, optional (default=1)
        Questions answered side by side, which pays if a language model answers. The lines keep the order of
        the questions.

    Yields
    ------
    query_id : str
        Id of a question answered in this call.
    answer : Answer
        Its answer.

    Raises
    ------
    InputError
        A file holds something else, or answers from another run or to another question; or another process
        is writing to `out`.

    """
    for path in filter(None, (out, audit)):
        make_folder(path.parent)
    if audit is not None and audit.exists() and out.exists() and out.samefile(audit):
        raise InputError(audit, f"expected a file of its own, found {out} again. Choose another file.")
    with extended_alone(out) as add:
        done = _begun(asked, out, common, audit)
        remaining = [(query_id, question) for query_id, question in asked if query_id not in done]
        answers = side_by_side(answer, (question for _, question in remaining), workers)
        for (query_id, _), given in zip(remaining, answers, strict=True):
            if audit is not None:
                # Written first: if the run stops between the two, the question is answered again.
                add_line(audit, json_line(audit_record(query_id, given, common["bundle"])))
            add(json_line({**answer_record(query_id, given), **common}))
            yield query_id, given


def _begun(asked: Asked, out: Path, common: Mapping[str, Any], audit: Path | None) -> set[str]:
    """Return the ids of the questions that need no answer any more; an error leaves no new file behind."""
    try:
        done = _answered(out, dict(asked), common)
        if audit is not None:
            _keep_grounds(audit, done, dict(asked), common, out)
    except InputError:
        if not out.stat().st_size:
            out.unlink()
        raise
    return done


def _answered(out: Path, asked: Mapping[str, str], common: Mapping[str, Any]) -> set[str]:
    """Return the ids of the questions answered in a file; a truncated last line is removed."""
    lines, rest = _lines(out)
    done = set()
    for number, line in enumerate(lines, start=1):
        record = parse_json(line, out, line=number)
        known = isinstance(record, dict) and {key: record.get(key) for key in common} == common
        if not known or asked.get(str(record.get("query_id"))) != record.get("question"):
            about = ", ".join(f"{key} {value}" for key, value in common.items())
            raise InputError(
                out,
                f"expected answers to these questions ({about}), found others. Write to another file.",
                line=number,
            )
        if record["query_id"] in done:
            raise InputError(
                out,
                f"expected one answer to each question, found a second one to {record['query_id']}. "
                "Remove the line.",
                line=number,
            )
        done.add(record["query_id"])
    if not ANSWER_BEGINNING.startswith(rest[: len(ANSWER_BEGINNING)]):
        raise InputError(out, "expected answers, found something else. Write to another file.")
    if rest:
        os.truncate(out, out.stat().st_size - len(rest))
    return done


def _keep_grounds(
    audit: Path, done: Set[str], asked: Mapping[str, str], common: Mapping[str, Any], out: Path
) -> None:
    """Keep only the grounds of the answers in a file; refuse those of other questions or another run."""
    kept = {}
    lines, rest = _lines(audit)
    said = {key: common[key] for key in ("bundle", "as_of")}
    for number, line in enumerate(lines, start=1):
        record = parse_json(line, audit, line=number)
        known = isinstance(record, dict) and {key: record.get(key) for key in said} == said
        if not known or asked.get(str(record.get("query_id"))) != record.get("question"):
            raise InputError(
                audit,
                "expected what answers to these questions rest on, found something else. "
                "Write to another file.",
                line=number,
            )
        if record["query_id"] in done:
            kept[record["query_id"]] = line
    if not AUDIT_BEGINNING.startswith(rest[: len(AUDIT_BEGINNING)]):
        raise InputError(
            audit,
            "expected what answers rest on, found something else. Write to another file.",
        )
    if len(kept) < len(done):
        raise InputError(
            audit,
            f"expected what the {len(done)} answers in {out} rest on, found it for {len(kept)}. "
            "Write the answers to another file, or leave --audit out.",
        )
    write_text(audit, "".join(f"{line}\n" for line in kept.values()))


def _lines(path: Path) -> tuple[list[str], bytes]:
    """Return the complete lines of a file, and the rest after the last of them."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    return whole.decode(errors="replace").split("\n")[:-1], content[len(whole) :]
