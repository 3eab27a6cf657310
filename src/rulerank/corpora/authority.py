"""Documents that can void one another, and questions about what is in force: two JSON Lines files."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import polars as pl
from pydantic import AfterValidator, AliasChoices, BaseModel, BeforeValidator, Field

from rulerank.corpora.fields import refuse_repeats
from rulerank.corpora.keys import listed
from rulerank.corpora.records import Record, read_lines
from rulerank.errors import InputError
from rulerank.files import write_lines
from rulerank.text import normalise

DOCUMENTS, QUERIES = "documents.jsonl", "queries.jsonl"

_DATE = re.compile(r"(\d{4})(?:([-/])(\d{1,2})(?:\2(\d{1,2}))?)?")
_TIME = re.compile(r"(?:\d{8}|\d{4}-(?:\d\d-\d\d|W\d\d(?:-\d)?))(?:[T ]|$)")
_SECONDS = 10**8
"""A number from here on is a Unix time: 20240131 is a date."""


@dataclass(frozen=True, eq=False)
class AuthorityData:
    """A folder of documents and questions.

    Parameters
    ----------
    documents : polars.DataFrame
        document_id, type, text, timestamp (microseconds, UTC, null where unknown), scope (struct of
        strings, null where missing). Types and scope values are normalised.
    queries : polars.DataFrame
        query_id, text, gold and provenance (lists of document ids, the second empty where not given), group
        and answer (null where not given), scope (JSON object of the given values, normalised).

    """

    documents: pl.DataFrame
    queries: pl.DataFrame


def read_authority(folder: Path) -> AuthorityData:
    """Read `documents.jsonl` and `queries.jsonl`.

    Raises
    ------
    InputError
        A line is malformed, an id is repeated, or a judged document does not exist; file and line are named.

    """
    documents = _documents(folder / DOCUMENTS)
    queries = _queries(folder / QUERIES)
    known = set(documents["document_id"])
    for line, query, name, judged in _judged(queries):
        unknown = [document for document in judged if document not in known]
        if unknown:
            near = difflib.get_close_matches(unknown[0], sorted(known), n=1)
            raise InputError(
                folder / QUERIES,
                f"query {query}: {name}: expected ids of {DOCUMENTS}, found {unknown[0]!r}"
                f"{f'; the nearest is {near[0]!r}' if near else ''}. Correct the id or add the document.",
                line=line,
            )
    return AuthorityData(documents.drop("line"), queries.drop("line"))


def write_authority(
    folder: Path, documents: Iterable[Mapping[str, Any]], queries: Iterable[Mapping[str, Any]]
) -> None:
    """Write records as the two files, each whole or not at all."""
    for name, records in ((DOCUMENTS, documents), (QUERIES, queries)):
        write_lines(folder / name, records)


def _judged(queries: pl.DataFrame) -> Iterator[tuple[int, str, str, list[str]]]:
    for row in queries.iter_rows(named=True):
        for name in ("gold", "provenance"):
            yield row["line"], row["query_id"], name, row[name]


def _value(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return (value and normalise(value)) or None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):  # of any size, beyond what a float holds
        return str(value)
    if not isinstance(value, float) or not math.isfinite(value):
        raise ValueError(
            "expected a string, a finite number, true, false or null (of several values, each in a record of "
            "its own)"
        )
    return str(int(value)) if value.is_integer() else str(value)


def _asked(text: str) -> str:
    if not normalise(text):
        raise ValueError("expected the text of a question")
    return text


def read_moment(value: Any) -> datetime | None:
    """Return an ISO date or time, or a Unix time, as UTC; a day, month or year alone is its first moment."""
    text = str(value).strip() if isinstance(value, str | int) and not isinstance(value, bool) else value
    if text is None or text == "":
        return None
    try:
        if isinstance(value, int | float) and value >= _SECONDS:
            moment = datetime.fromtimestamp(value, UTC)
        elif match := _DATE.fullmatch(text):
            moment = datetime(int(match[1]), int(match[3] or 1), int(match[4] or 1))
        else:
            # `fromisoformat` takes "1712051730123", Unix milliseconds, for a day of 1712.
            moment = datetime.fromisoformat(text if _TIME.match(text) else "")
        # A time without a zone is taken as UTC, so all times compare.
        return (moment.astimezone(UTC) if moment.tzinfo else moment).replace(tzinfo=None)
    except (ValueError, TypeError, OverflowError, OSError):
        raise ValueError(
            "expected an ISO date or time such as 2024-01-31 or 2024-01-31T09:00, Unix seconds, or null"
        ) from None


Id = Annotated[str, Field(coerce_numbers_to_str=True, min_length=1)]
Scope = Annotated[
    dict[str, Annotated[str | None, BeforeValidator(_value)]],
    BeforeValidator(lambda value: {} if value is None else value),
]


class _Document(Record):
    id: Id = Field(validation_alias=AliasChoices("id", "_id"))
    type: Annotated[
        str,
        BeforeValidator(lambda value: normalise(value) if isinstance(value, str) else value),
        Field(coerce_numbers_to_str=True),
    ]
    text: Annotated[str, BeforeValidator(lambda value: "" if value is None else value)]
    timestamp: Annotated[datetime | None, BeforeValidator(read_moment)] = None
    scope: Scope = Field(default_factory=dict)


class _Query(BaseModel):
    id: Id = Field(validation_alias=AliasChoices("id", "_id"))
    text: Annotated[str, AfterValidator(_asked)]
    gold: Annotated[list[Id], BeforeValidator(listed), Field(min_length=1)]
    provenance: Annotated[list[Id], BeforeValidator(listed)] = []
    scope: Scope = {}
    group: Annotated[str | None, Field(coerce_numbers_to_str=True)] = Field(
        None, validation_alias=AliasChoices("group", "type")
    )
    answer: Annotated[str | None, Field(coerce_numbers_to_str=True)] = None


def _documents(path: Path) -> pl.DataFrame:
    records = list(read_lines(path, _Document))
    if not records:
        raise InputError(path, "expected one document per line, found none. Check the file.")
    keys = list(dict.fromkeys(key for _, record in records for key in record.scope)) or ["none"]
    columns = {
        "line": pl.Series([line for line, _ in records], dtype=pl.Int64),
        "document_id": pl.Series([record.id for _, record in records], dtype=pl.String),
        "type": pl.Series([record.type for _, record in records], dtype=pl.String),
        "text": pl.Series([record.text for _, record in records], dtype=pl.String),
        "timestamp": pl.Series([record.timestamp for _, record in records], dtype=pl.Datetime("us")),
        "scope": pl.Series(
            [{key: record.scope.get(key) for key in keys} for _, record in records],
            dtype=pl.Struct(dict.fromkeys(keys, pl.String)),
        ),
    }
    frame = pl.DataFrame(columns)
    refuse_repeats(frame, path, ["document_id"])
    return frame


def _queries(path: Path) -> pl.DataFrame:
    records = list(read_lines(path, _Query))
    if not records:
        raise InputError(path, "expected one question per line, found none. Check the file.")
    frame = pl.DataFrame(
        {
            "line": [line for line, _ in records],
            "query_id": [record.id for _, record in records],
            "text": [record.text for _, record in records],
            "gold": [list(dict.fromkeys(record.gold)) for _, record in records],
            "provenance": pl.Series(
                [list(dict.fromkeys(record.provenance)) for _, record in records], dtype=pl.List(pl.String)
            ),
            "group": pl.Series([record.group for _, record in records], dtype=pl.String),
            "answer": pl.Series([record.answer for _, record in records], dtype=pl.String),
            "scope": [json.dumps(record.scope) for _, record in records],
        }
    )
    refuse_repeats(frame, path, ["query_id"])
    return frame
