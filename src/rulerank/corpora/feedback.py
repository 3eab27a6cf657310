"""Users' verdicts on ranked passages, as training questions: JSON Lines, one verdict per line."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import polars as pl
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field

from rulerank.corpora.corpus import Questions, in_order, keep_judged
from rulerank.corpora.keys import moment_stated
from rulerank.corpora.records import read_lines
from rulerank.errors import InputError
from rulerank.files import files_in
from rulerank.tables import JUDGEMENTS, QUERIES
from rulerank.text import normalise

COLLECTION = "feedback"
"""The collection of every question from feedback."""

AHEAD = timedelta(days=1)
"""How far after now a verdict may be: clocks differ, and a local time without a zone is taken for UTC."""


def _worded(question: str) -> str:
    if not normalise(question):
        raise ValueError("expected a question in words")
    return question


def _no_truth_value(given: Any) -> Any:
    """Refuse true and false, which Python takes for 1 and 0."""
    if isinstance(given, bool):
        raise ValueError("input should be 0, 1 or 2")
    return given


def _in_zone(at: datetime) -> datetime:
    """Return a time with its zone; without one it is UTC."""
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _given_by_now(at: datetime) -> datetime:
    """Refuse a time that is to come: until then, no correction would count."""
    if _in_zone(at) > datetime.now(UTC) + AHEAD:
        raise ValueError("expected a time no later than a day from now")
    return at


class Verdict(BaseModel):
    """One line: how relevant a passage is to a question, and when somebody said so."""

    question: Annotated[str, AfterValidator(_worded)]
    passage_id: str = Field(min_length=1)
    relevance: Annotated[Literal[0, 1, 2], BeforeValidator(_no_truth_value)]
    at: Annotated[datetime, BeforeValidator(moment_stated), AfterValidator(_given_by_now)]

    @property
    def moment(self) -> datetime:
        """The time of the verdict; a time without a zone is UTC."""
        return _in_zone(self.at)


def feedback_files(path: Path) -> list[Path]:
    """Return the file, or the JSON Lines files of the folder, in the order of their names.

    Raises
    ------
    InputError
        A file of the folder ends in `.json`, and would be left out without a word.

    """
    if not path.is_dir():
        return [path]
    if wrong := files_in(path, ".json"):
        raise InputError(wrong[0], "expected JSON Lines, which end in .jsonl. Rename it or take it out.")
    return files_in(path, ".jsonl")


def read_verdicts(path: Path) -> list[Verdict]:
    """Read the verdicts of a file, or of the JSON Lines files of a folder in the order of their names.

    Raises
    ------
    InputError
        A line is not a verdict, or one of a time to come; file, line and column are named.

    """
    return [verdict for file in feedback_files(path) for _, verdict in read_lines(file, Verdict)]


def latest(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the last verdict on each question and passage, in the order of their times.

    Questions are the same when they are equal after `normalise`. Of verdicts at the same moment, the last one
    given counts.
    """
    last: dict[tuple[str, str], Verdict] = {}
    for verdict in verdicts:
        key = normalise(verdict.question), verdict.passage_id
        if key not in last or verdict.moment >= last[key].moment:
            last[key] = verdict
    return sorted(last.values(), key=lambda each: (each.moment, each.question, each.passage_id))


def read_feedback(path: Path, passages: pl.DataFrame) -> Questions:
    """Read feedback as training questions.

    Questions without a relevant passage, and verdicts on passages that are not in the corpus, are left out
    and reported.

    Parameters
    ----------
    path : Path
        A JSON Lines file of {"question", "passage_id", "relevance" 0 | 1 | 2, "at"}, or a folder of such
        files.
    passages : polars.DataFrame
        The corpus, the table `PASSAGES`.

    Raises
    ------
    InputError
        There is no such file or folder, the folder has no JSON Lines, or a line is not a verdict.

    """
    if not path.exists():
        raise InputError(path, "expected a file or folder of feedback, found none. Correct prepare.feedback.")
    if not feedback_files(path):
        raise InputError(
            path,
            "expected JSON Lines, which end in .jsonl, found none. Add a file, or correct prepare.feedback.",
        )
    verdicts = latest(read_verdicts(path))
    texts = {query_id_of(each.question): each.question for each in verdicts}
    queries = pl.DataFrame(
        [(query_id, text, "train", COLLECTION, None, None) for query_id, text in texts.items()],
        schema=dict(QUERIES.columns),
        orient="row",
    )
    judgements = pl.DataFrame(
        [(query_id_of(each.question), each.passage_id, each.relevance) for each in verdicts],
        schema=dict(JUDGEMENTS.columns),
        orient="row",
    )
    return keep_judged(queries, in_order(judgements, queries), passages, path.name)


def query_id_of(question: str) -> str:
    """Return the id of a user's question: the same for the same words."""
    return f"{COLLECTION}-{hashlib.sha256(normalise(question).encode()).hexdigest()[:16]}"
