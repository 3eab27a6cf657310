"""The multiple-choice questions of SearchFireSafety; one option is that the context is not enough."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pydantic

from rulerank.corpora.records import read_lines

OPTIONS = 5
Option = Annotated[int, pydantic.Field(ge=1, le=OPTIONS)]


class _Record(pydantic.BaseModel):
    question_id: int
    related_doc_ids: Annotated[list[int], pydantic.Field(min_length=2)]
    question: str
    option_1: str
    option_2: str
    option_3: str
    option_4: str
    option_5: str
    answer_full: Option
    answer_partial: Option


@dataclass(frozen=True)
class ChoiceQuestion:
    """A question with options, whose answer depends on how much of its evidence is shown.

    Parameters
    ----------
    question_id : str
        Its number.
    text : str
        The question.
    passages : tuple of str
        The passages that answer it together.
    options : tuple of str
        The options, in order; they are numbered from 1.
    full, partial : int
        Number of the right option if all passages are shown, and if one is missing.

    """

    question_id: str
    text: str
    passages: tuple[str, ...]
    options: tuple[str, ...]
    full: int
    partial: int


def read_choice_questions(path: Path) -> list[ChoiceQuestion]:
    """Read `multihop_qa_mcq.jsonl`.

    Raises
    ------
    InputError
        A line is malformed, lacks a key, or names an option beyond the fifth; file and line are named.

    """
    return [
        ChoiceQuestion(
            str(record.question_id),
            record.question,
            tuple(str(doc_id) for doc_id in record.related_doc_ids),
            tuple(getattr(record, f"option_{number}") for number in range(1, OPTIONS + 1)),
            record.answer_full,
            record.answer_partial,
        )
        for _, record in read_lines(path, _Record)
    ]
