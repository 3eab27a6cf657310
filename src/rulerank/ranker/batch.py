"""Answers to many questions, one line each, in a file that an interrupted run goes on with."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path

from rulerank.answer import Answer
from rulerank.answer.records import answer_record
from rulerank.errors import InputError
from rulerank.files import parse_json, read_text, write_text

Asked = Sequence[tuple[str, str]]
"""Id and text of questions."""


def answer_all(
    asked: Asked, out: Path, as_of: date, answer: Callable[[str], Answer]
) -> Iterator[tuple[str, Answer]]:
    """Answer the questions that a file has no answer to yet, and add each answer to it as one line.

    Parameters
    ----------
    asked : sequence of (str, str)
        The questions.
    out : Path
        The file. A last line that was cut off is taken out.
    as_of : date
        The day of all answers.
    answer : callable
        Answers one question.

    Yields
    ------
    query_id : str
        Of a question that was answered now.
    answer : Answer
        To it.

    Raises
    ------
    InputError
        The file holds something else, or answers of another day or to another question.

    """
    done = _answered(out, dict(asked), as_of)
    with out.open("a", encoding="utf-8") as stream:
        for query_id, question in asked:
            if query_id in done:
                continue
            given = answer(question)
            stream.write(json.dumps(answer_record(query_id, given), ensure_ascii=False) + "\n")
            stream.flush()
            yield query_id, given


def _answered(out: Path, asked: dict[str, str], as_of: date) -> set[str]:
    """Return the ids of the questions that a file answers, once it ends with a whole line."""
    if not out.exists():
        return set()
    lines = read_text(out).splitlines(keepends=True)
    whole = [line for line in lines if line.endswith("\n")]
    if len(whole) < len(lines):
        write_text(out, "".join(whole))
    done = set()
    for number, line in enumerate(whole, start=1):
        record = parse_json(line, out, line=number)
        known = isinstance(record, dict) and record.get("as_of") == as_of.isoformat()
        if not known or asked.get(record.get("query_id", "")) != record.get("question"):
            raise InputError(
                out,
                f"expected answers to these questions as of {as_of}, found others. Write to another file.",
                line=number,
            )
        done.add(record["query_id"])
    return done
