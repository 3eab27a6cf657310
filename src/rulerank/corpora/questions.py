"""Questions in the ObliQA format, in either published form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import polars as pl
from pydantic import BaseModel

from rulerank.corpora.corpus import Questions, in_order, keep_judged
from rulerank.corpora.keys import Key
from rulerank.corpora.records import read_list
from rulerank.corpora.resolve import PassageIndex
from rulerank.errors import InputError
from rulerank.files import write_json
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


def write_questions(
    path: Path, queries: pl.DataFrame, judgements: pl.DataFrame, passages: pl.DataFrame
) -> None:
    """Write questions in the multi-passage form, ids included; `read_questions` reads them back.

    `Connection` is written when some passage has relevance 2. Passages judged unrelated (0) have no
    place in this format.

    Raises
    ------
    InputError
        A query has no text.

    """
    silent = queries.filter(pl.col("text").is_null())
    if silent.height:
        raise InputError(
            path, f"query {silent['query_id'][0]}: expected a text, found none. Leave the query out."
        )
    graded = bool((judgements["relevance"] > 1).any())
    listed: dict[str, list[dict[str, Any]]] = {query_id: [] for query_id in queries["query_id"]}
    rows = in_order(judgements.filter(pl.col("relevance") > 0), queries).join(
        passages.select("passage_id", "document_id", "section", "text"),
        on="passage_id",
        maintain_order="left",
    )
    for row in rows.iter_rows(named=True):
        document_id = row["document_id"]
        connection = "Directly Connected" if row["relevance"] > 1 else "Indirectly Connected"
        listed[row["query_id"]].append(
            {
                "DocumentID": int(document_id) if re.fullmatch(r"[1-9]\d*", document_id) else document_id,
                "PassageID": row["section"],
                "Passage": row["text"],
                "ID": row["passage_id"],
                **({"Connection": connection} if graded else {}),
            }
        )
    texts = queries.select("query_id", "text").iter_rows()
    write_json(path, [{"QuestionID": key, "Question": text, "Passages": listed[key]} for key, text in texts])


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
