"""Questions to be answered, from a file in either format: ObliQA's JSON, or BEIR's queries.jsonl."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, Field

from rulerank.corpora.records import read_lines, read_list
from rulerank.errors import DataWarning, InputError


class _OfObliqa(BaseModel):
    QuestionID: str = Field(min_length=1)
    Question: str | None


class _OfBeir(BaseModel):
    id: str = Field(alias="_id", min_length=1)
    text: str


def read_asked(path: Path) -> list[tuple[str, str]]:
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
        found = [(record.id, record.text) for _, record in read_lines(path, _OfBeir)]
    else:
        found = [(each.QuestionID, each.Question or "") for each in read_list(path, _OfObliqa, "QuestionID")]
    _refuse_repeats((query_id for query_id, _ in found), path)
    asked = [(query_id, text) for query_id, text in found if text.strip()]
    if not asked:
        raise InputError(path, "expected questions, found none with a text. Check that it is the right file.")
    silent = [query_id for query_id, text in found if not text.strip()]
    if silent:
        warnings.warn(
            f"{path}: {len(silent)} of {len(found)} questions have no text and are left out, {silent[0]!r} "
            "the first of them",
            DataWarning,
            stacklevel=2,
        )
    return asked


def _refuse_repeats(ids: Iterable[str], path: Path) -> None:
    seen: set[str] = set()
    for query_id in ids:
        if query_id in seen:
            raise InputError(path, f"expected one question per id, found two of {query_id!r}. Rename one.")
        seen.add(query_id)
