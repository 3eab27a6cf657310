"""Questions to be answered, from a file in either format: ObliQA's JSON, or BEIR's queries.jsonl."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from rulerank.corpora.records import Record, read_lines, read_list
from rulerank.errors import DataWarning, InputError
from rulerank.text import is_seen


class _OfObliqa(Record):
    QuestionID: str = Field(min_length=1)
    Question: str | None


class _OfBeir(Record):
    id: str = Field(alias="_id", min_length=1)
    text: str


def read_question_texts(path: Path) -> list[tuple[str, str]]:
    """Return the id and text of every question; one without text is left out, with a DataWarning.

    Parameters
    ----------
    path : Path
        A `.jsonl` file is read as BEIR's, any other as ObliQA's.

    Raises
    ------
    InputError
        The file is malformed, holds no question with a text, or two with the same id.

    """
    if path.suffix == ".jsonl":
        placed = {f"line {number}": (each.id, each.text) for number, each in read_lines(path, _OfBeir)}
    else:
        records = enumerate(read_list(path, _OfObliqa, "QuestionID"), start=1)
        placed = {f"record {number}": (each.QuestionID, each.Question or "") for number, each in records}
    _refuse_repeats(placed, path)
    found = placed.values()
    asked = [(query_id, text) for query_id, text in found if is_seen(text)]
    if not asked:
        raise InputError(path, "expected questions, found none with a text. Check that it is the right file.")
    silent = [query_id for query_id, text in found if not is_seen(text)]
    if silent:
        warnings.warn(
            f"{path}: {len(silent)} of {len(found)} questions have no text and are left out, {silent[0]!r} "
            "the first of them",
            DataWarning,
            stacklevel=2,
        )
    return asked


def _refuse_repeats(questions: Mapping[str, tuple[str, str]], path: Path) -> None:
    """Raise InputError if two questions, given by their places in the file, have one id."""
    seen: dict[str, str] = {}
    for place, (query_id, _) in questions.items():
        if query_id in seen:
            raise InputError(
                path,
                f"expected one question per id, found {query_id!r} in {seen[query_id]} and {place}. "
                "Rename one.",
            )
        seen[query_id] = place
