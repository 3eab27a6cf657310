"""Answers to many questions, one line each, in a file from which an interrupted run resumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rulerank.answer import Answer
from rulerank.answer.records import answer_record, audit_record
from rulerank.errors import InputError, RulerankError
from rulerank.files import add_line, extended_alone, json_line, make_folder
from rulerank.ranker.resumed import Asked, begun
from rulerank.threads import side_by_side


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
        the questions. If one fails, no further question is begun, and the answers to those that were begun
        are written before the error is raised.

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
    RulerankError
        A question has no answer; the message names it.

    """
    for path in filter(None, (out, audit)):
        make_folder(path.parent)
    if audit is not None and audit.exists() and out.exists() and out.samefile(audit):
        raise InputError(audit, f"expected a file of its own, found {out} again. Choose another file.")
    new = not out.exists()
    with extended_alone(out) as add:
        done = begun(asked, out, common, audit, new)
        failed: list[tuple[str, Exception]] = []
        remaining = _until(failed, (each for each in asked if each[0] not in done))
        for query_id, given in side_by_side(_attempts(answer, failed), remaining, workers):
            if given is None:
                continue
            if audit is not None:
                # Written first: if the run stops between the two, the question is answered again.
                add_line(audit, json_line(audit_record(query_id, given, common["bundle"])))
            add(json_line({**answer_record(query_id, given), **common}))
            yield query_id, given
    if failed:
        query_id, error = failed[0]
        if not isinstance(error, RulerankError):
            error.add_note(f"question {query_id}")
            raise error
        raise RulerankError(f"question {query_id}: {error}") from error


def _attempts(
    answer: Callable[[str], Answer], failed: list[tuple[str, Exception]]
) -> Callable[[tuple[str, str]], tuple[str, Answer | None]]:
    """Return what answers a question with its id, or adds it and its error to those that failed."""

    def attempt(asked: tuple[str, str]) -> tuple[str, Answer | None]:
        query_id, question = asked
        try:
            return query_id, answer(question)
        except Exception as error:
            failed.append((query_id, error))
            return query_id, None

    return attempt


def _until(failed: Sequence[object], asked: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield questions as long as none has failed."""
    for each in asked:
        if failed:
            return
        yield each
