"""Enquiries about the law with the authority's answers, and the citations that people found in these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pydantic

from rulerank.corpora.records import read_lines


class _Record(pydantic.BaseModel):
    question_id: int | str
    answer: str
    law_references: list[str]


@dataclass(frozen=True)
class Enquiry:
    """One enquiry.

    Parameters
    ----------
    enquiry_id : str
        Its number.
    answer : str
        The text that cites.
    references : tuple of str
        The citations in it as people listed them.

    """

    enquiry_id: str
    answer: str
    references: tuple[str, ...]


def read_enquiries(path: Path) -> list[Enquiry]:
    """Read a JSON Lines file of SearchFireSafety: `question_id`, `answer`, `law_references`.

    Raises
    ------
    InputError
        A line is malformed or lacks a key; file and line are named.

    """
    return [
        Enquiry(str(record.question_id), record.answer, tuple(record.law_references))
        for _, record in read_lines(path, _Record)
    ]
