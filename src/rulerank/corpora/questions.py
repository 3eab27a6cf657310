"""Questions in the ObliQA format, in either published form."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from pydantic import BaseModel

from rulerank.corpora.corpus import Questions, keep_judged
from rulerank.corpora.keys import Key
from rulerank.corpora.records import read_list
from rulerank.corpora.resolve import PassageIndex
from rulerank.errors import InputError
from rulerank.tables import JUDGEMENTS, QUERIES

_RELEVANCE = {"Directly Connected": 2, "Indirectly Connected": 1, None: 1}


class _JudgedPassage(BaseModel):
    DocumentID: int | str
    PassageID: str
    Passage: str
    ID: str | None = None
    Connection: str | None = None


class _Question(BaseModel):
    QuestionID: Key
    Question: str | None
    Passages: list[_JudgedPassage]


def read_questions(path: Path, passages: pl.DataFrame, split: str, collection: str) -> Questions:
    """Read questions in either published form, with or without `ID`, `Connection` and `Group`.

    A passage called "Directly Connected" has relevance 2, any other listed passage 1. A passage that
    is not in the corpus, and a question without text or without a passage left, is reported and left out.

    Parameters
    ----------
    path : Path
        The JSON file.
    passages : polars.DataFrame
        The corpus, the table `PASSAGES`.
    split, collection : str
        The split and the collection of every question in the file.

    Raises
    ------
    InputError
        The file is malformed, or two questions have the same id.

    """
    questions = read_list(path, _Question, "QuestionID")
    _refuse_repeats(questions, path)
    index = PassageIndex(passages)
    judged: dict[tuple[str, str], int] = {}
    problems = []
    for question in questions:
        where = f"{path.name}: question {question.QuestionID}"
        for listed in question.Passages:
            found = index.find(listed.ID, str(listed.DocumentID), listed.PassageID, listed.Passage)
            called = f"passage {listed.PassageID} of document {listed.DocumentID}"
            if found is None:
                named = f" (ID {listed.ID})" if listed.ID else ""
                problems.append(f"{where}: {called}{named} is not in the corpus with this text; left out")
                continue
            if listed.Connection not in _RELEVANCE:
                problems.append(f"{where}: {called}: unknown Connection {listed.Connection!r}; relevance 1")
            key = question.QuestionID, found
            judged[key] = max(judged.get(key, 0), _RELEVANCE.get(listed.Connection, 1))
    queries = pl.DataFrame(
        [
            (question.QuestionID, question.Question or "", split, collection, None, None)
            for question in questions
        ],
        schema=dict(QUERIES.columns),
        orient="row",
    )
    judgements = pl.DataFrame(
        [(*key, relevance) for key, relevance in judged.items()],
        schema=dict(JUDGEMENTS.columns),
        orient="row",
    )
    kept = keep_judged(queries, judgements, passages, path.name)
    return Questions(kept.queries, kept.judgements, (*problems, *kept.problems))


def _refuse_repeats(questions: list[_Question], path: Path) -> None:
    places: dict[str, int] = {}
    for place, question in enumerate(questions, start=1):
        earlier = places.setdefault(question.QuestionID, place)
        if earlier != place:
            raise InputError(
                path,
                f"expected each QuestionID once, found {question.QuestionID} in records {earlier} and "
                f"{place}. Remove one.",
            )
