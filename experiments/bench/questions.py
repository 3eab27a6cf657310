"""The questions asked: a file of them, or the validation questions of the run that built the bundle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl

from rulerank.bundle.names import PASSAGE_TABLE
from rulerank.corpora import read_questions
from rulerank.errors import InputError
from rulerank.tables import JUDGEMENTS, PASSAGES, QUERIES

SPLIT = "validation"


def read_judged(bundle: Path, questions: Path | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the queries and judgements tables of the questions to ask.

    Parameters
    ----------
    bundle : Path
        The exported ranker; the tables of the run that built it are next to it.
    questions : Path or None
        A file in the ObliQA format; by default the validation questions of that run.

    Raises
    ------
    InputError
        There is no judged question.

    """
    if questions is not None:
        read = read_questions(questions, PASSAGES.map(bundle / PASSAGE_TABLE), "test", questions.stem)
        queries, judgements = read.queries, read.judgements
    else:
        tables = bundle.parent / "tables"
        asked = pl.col("text").is_not_null() & (pl.col("split") == SPLIT)
        queries = QUERIES.read(tables / "queries.parquet").filter(asked)
        judgements = JUDGEMENTS.read(tables / "judgements.parquet").filter(
            pl.col("query_id").is_in(queries["query_id"].implode())
        )
    if judgements.is_empty():
        raise InputError(
            questions or bundle.parent / "tables",
            "expected judged questions about passages of the bundle, found none. Give a file: "
            "`make bench BUNDLE=folder QUESTIONS=file.json`.",
        )
    return queries, judgements


def spread_out(texts: pl.Series, count: int) -> list[str]:
    """Return at most `count` texts, evenly spaced."""
    places = np.unique(np.linspace(0, len(texts) - 1, min(count, len(texts))).round().astype(np.int64))
    return texts.gather(places).to_list()
