"""Answers to many questions, one line each, in a file from which an interrupted run resumes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from threading import Event
from typing import Any, NoReturn

from rulerank.answer import Answer
from rulerank.answer.records import answer_record, audit_record
from rulerank.errors import InputError, RulerankError, UnansweredError
from rulerank.files import add_line, extended_alone, json_line, make_folder
from rulerank.ranker.resumed import IdsAndTexts, resumed_answers
from rulerank.threads import parallel_map

REFUSED = 10
"""After so many refusals and no answer, no question would be answered; as many are named in an error."""


def answer_all(
    asked: IdsAndTexts,
    out: Path,
    common: Mapping[str, Any],
    answer: Callable[[str], Answer],
    audit: Path | None = None,
    workers: int = 1,
) -> Iterator[tuple[str, Answer]]:
    """Answer the questions that have no answer in a file yet, and append each answer as one line.

    A question that a language model's endpoint refuses, or answers unreadably (`UnansweredError`), is left
    without a line, and the others are answered. After any other error, or if `REFUSED` questions are refused
    before any has an answer, no further question is begun, and the answers to those that were begun are
    written before the error is raised.

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
    RulerankError
        Questions have no answer; the message names the first of them, each with its error, and says how many
        were not asked. Another call asks them again.

    """
    for path in filter(None, (out, audit)):
        make_folder(path.parent)
    if audit is not None and audit.exists() and out.exists() and out.samefile(audit):
        raise InputError(audit, f"expected a file of its own, found {out} again. Choose another file.")
    new = not out.exists()
    with extended_alone(out) as add:
        done = resumed_answers(asked, out, common, audit, new)
        failed: dict[str, Exception] = {}
        unasked = len(asked) - len(done)
        stopped, answered = Event(), Event()
        if done:
            answered.set()
        remaining = (each for each in asked if each[0] not in done)
        now = takewhile(lambda _: not stopped.is_set(), remaining)
        for query_id, given in parallel_map(_attempts(answer, failed, stopped, answered), now, workers):
            unasked -= 1
            if given is None:
                continue
            if audit is not None:
                # Written first: if the run stops between the two, the question is answered again.
                add_line(audit, json_line(audit_record(query_id, given, common["bundle"])))
            add(json_line({**answer_record(query_id, given), **common}))
            yield query_id, given
    if failed:
        _report([(query_id, failed[query_id]) for query_id, _ in asked if query_id in failed], unasked)


def _attempts(
    answer: Callable[[str], Answer], failed: dict[str, Exception], stopped: Event, answered: Event
) -> Callable[[tuple[str, str]], tuple[str, Answer | None]]:
    """Return what answers a question with its id, or adds its error to those of the questions that failed."""

    def attempt(asked: tuple[str, str]) -> tuple[str, Answer | None]:
        query_id, question = asked
        try:
            given = answer(question)
        except Exception as error:
            failed[query_id] = error
            every = len(failed) >= REFUSED and not answered.is_set()
            if every or not isinstance(error, UnansweredError):
                # The other questions would fail in the same way.
                stopped.set()
            return query_id, None
        answered.set()
        return query_id, given

    return attempt


def _report(failed: Sequence[tuple[str, Exception]], unasked: int) -> NoReturn:
    """Raise one error for all questions that failed; a fault of the program is raised as it is."""
    for query_id, error in failed:
        if not isinstance(error, RulerankError):
            error.add_note(f"question {query_id}")
            raise error
    lines = [f"question {query_id}: {error}" for query_id, error in failed[:REFUSED]]
    if len(failed) > REFUSED:
        lines.append(f"and {len(failed) - REFUSED} more")
    if unasked:
        lines.append(f"Questions not asked after that: {unasked}.")
    lines.append("Run this again to ask only the questions that have no answer yet.")
    raise RulerankError("\n".join(lines)) from failed[0][1]
