"""What an interrupted batch has written, checked before it goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulerank.answer.records import ANSWER_BEGINNING, AUDIT_BEGINNING
from rulerank.errors import InputError
from rulerank.files import parse_json, write_text

IdsAndTexts = Sequence[tuple[str, str]]
"""Ids and texts of questions."""

Record = Mapping[str, Any]

SHARED = ("bundle", "as_of", "question", "answered", "claims", "abstained_because", "incomplete")
"""What an answer and the line with its grounds have in common."""

OPTIONS = {"as_of": "--as-of", "model": "--model", "k": "--k"}
"""The options of `rulerank answer` that say what all answers of a run share."""


def resumed_answers(
    asked: IdsAndTexts, out: Path, common: Record, audit: Path | None, new: bool
) -> Mapping[str, Record]:
    """Return the answers in a file by question, and keep only their grounds in another.

    Parameters
    ----------
    asked : sequence of (str, str)
        The questions.
    out : Path
        The file of the answers.
    common : mapping
        What all answers of a run share.
    audit : Path or None
        The file of their grounds.
    new : bool
        Whether `out` was just made; an error leaves no such file behind.

    Raises
    ------
    InputError
        A file holds something else than this run may have written.

    """
    try:
        done = _answered(out, dict(asked), common)
        if audit is not None:
            # A run makes `out` before it adds the first line to `audit`.
            _keep_grounds(audit, done, dict(asked), common, out, unanswered=0 if new else 1)
    except InputError:
        if new:
            out.unlink()
        raise
    return done


def _answered(out: Path, asked: Mapping[str, str], common: Record) -> Mapping[str, Record]:
    """Return the answers in a file by question; a truncated last line is removed."""
    lines, rest = _lines(out)
    done: dict[str, Record] = {}
    for number, line in enumerate(lines, start=1):
        record = parse_json(line, out, line=number)
        answer = isinstance(record, dict) and "question" in record
        if not answer or asked.get(str(record.get("query_id"))) != record["question"]:
            raise InputError(
                out, "expected answers to these questions, found others. Write to another file.", line=number
            )
        if other := [key for key in common if record.get(key) != common[key]]:
            raise InputError(out, _of_another_run(record, common, other), line=number)
        if record["query_id"] in done:
            raise InputError(
                out,
                f"expected one answer to each question, found a second one to {record['query_id']}. "
                "Remove the line.",
                line=number,
            )
        done[record["query_id"]] = record
    if not ANSWER_BEGINNING.startswith(rest[: len(ANSWER_BEGINNING)]):
        raise InputError(out, "expected answers, found something else. Write to another file.")
    if rest:
        os.truncate(out, out.stat().st_size - len(rest))
    return done


def _of_another_run(record: Record, common: Record, other: Sequence[str]) -> str:
    """Return in what an answer differs from this run, and how to go on with its run if options say that."""
    differing = "; ".join(said for key in other for said in _differing(key, common[key], record.get(key)))
    asked_again = " ".join(f"{OPTIONS[key]} {record.get(key)}" for key in other if key in OPTIONS)
    resume = f"Resume with {asked_again}, or write" if all(key in OPTIONS for key in other) else "Write"
    return f"{differing}. {resume} to another file."


def _differing(key: str, expected: object, found: object) -> Iterator[str]:
    """Yield what differs between two values; of two mappings, only the keys with different values."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for part in dict.fromkeys([*expected, *found]):
            if expected.get(part) != found.get(part):
                yield from _differing(f"{key}.{part}", expected.get(part), found.get(part))
    else:
        yield f"expected {key} {_written(expected)}, found {_written(found)}"


def _written(value: object) -> str:
    return "none" if value is None else str(value)


def _keep_grounds(
    audit: Path,
    done: Mapping[str, Record],
    asked: Mapping[str, str],
    common: Record,
    out: Path,
    unanswered: int,
) -> None:
    """Keep only the grounds of the answers in a file; refuse those of other answers.

    An interrupted run leaves one line, the last, whose answer it had not written yet: `unanswered`.
    """
    kept = {}
    lines, rest = _lines(audit)
    for number, line in enumerate(lines, start=1):
        record = parse_json(line, audit, line=number)
        query_id = str(record.get("query_id")) if isinstance(record, dict) else ""
        if query_id in done:
            expected = {key: done[query_id].get(key) for key in SHARED}
        else:
            # Nothing else is known about an answer that was not written.
            expected = {key: common[key] for key in ("bundle", "as_of")} | {"question": asked.get(query_id)}
        known = isinstance(record, dict) and {key: record.get(key) for key in expected} == expected
        if not known or query_id in kept or (query_id not in done and number + unanswered <= len(lines)):
            raise InputError(
                audit,
                f"expected the grounds of the answers in {out}, found something else. Write to another file.",
                line=number,
            )
        if query_id in done:
            kept[query_id] = line
    if not AUDIT_BEGINNING.startswith(rest[: len(AUDIT_BEGINNING)]):
        raise InputError(
            audit,
            "expected the grounds of answers, found something else. Write to another file.",
        )
    if len(kept) < len(done):
        raise InputError(
            audit,
            f"expected the grounds of the {len(done)} answers in {out}, found those of {len(kept)}. "
            "Write the answers to another file, or leave --audit out.",
        )
    write_text(audit, "".join(f"{line}\n" for line in kept.values()))


def _lines(path: Path) -> tuple[list[str], bytes]:
    """Return the complete lines of a file, and the rest after the last of them."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    return whole.decode(errors="replace").split("\n")[:-1], content[len(whole) :]
