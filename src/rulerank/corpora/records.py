"""Published records, validated: an error names the file, the place in it and what was expected."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated, Any, TypeVar

import numpy as np
import polars as pl
from pydantic import AfterValidator, BaseModel, BeforeValidator, TypeAdapter, ValidationError, model_validator

from rulerank.errors import InputError
from rulerank.files import parse_json, read_json, read_text
from rulerank.tables import OTHER_NODES

T = TypeVar("T")


def _one_word(key: str) -> str:
    if key.split() != [key]:
        raise ValueError("expected an id without white space, which separates the fields of TREC files")
    return key


Key = Annotated[str, AfterValidator(_one_word)]
"""The id of a passage or a question, in a form that any file of the pipeline can hold."""


def no_other_node(key: str) -> str:
    """Return the id of a passage, which the graph must not take for a document, a term or a name."""
    if key.startswith(OTHER_NODES):
        raise ValueError(
            f"expected an id that begins with none of {', '.join(OTHER_NODES)}, which name other nodes"
        )
    return key


PassageKey = Annotated[Key, AfterValidator(no_other_node)]
"""The id of a passage."""


def iso_stated(when: Any, example: str = "date such as 2026-03-01") -> Any:
    """Return a value that begins with an ISO date; a number, even as text, would pass as Unix time."""
    if isinstance(when, date | None) or (isinstance(when, str) and re.match(r"\d{4}-\d\d-\d\d", when)):
        return when
    raise ValueError(f"expected an ISO {example}")


Day = Annotated[date, BeforeValidator(iso_stated)]
"""A day such as `2026-03-01`."""


class Record(BaseModel):
    """A published record: keys of other tools are accepted, a misspelt key of ours is not."""

    @model_validator(mode="before")
    @classmethod
    def _no_key_is_misspelt(cls, values: Any) -> Any:
        known = {field.alias or name for name, field in cls.model_fields.items()}
        for key in values if isinstance(values, dict) else ():
            if key not in known and (close := difflib.get_close_matches(key, known, n=1, cutoff=0.8)):
                raise ValueError(f"expected known keys, found {key}; the nearest is {close[0]}")
        return values


def read_list(path: Path, record: type[T], identify: str) -> list[T]:
    """Read a JSON file that holds a list of records.

    Parameters
    ----------
    path : Path
        The file.
    record : type
        A pydantic model.
    identify : str
        The key whose value names a record in errors.

    Raises
    ------
    InputError
        The JSON is malformed (line and column), is not a list, or a record lacks a key or has a
        value of another type (number and id of the record).

    """
    values = read_json(path)
    if not isinstance(values, list):
        raise InputError(
            path, f"expected a list of records, found {_kind(values)}. Check that this is the right file."
        )

    def place(where: Sequence[Any]) -> str:
        value = values[where[0]]
        name = value.get(identify) if isinstance(value, dict) else None
        return f"record {where[0] + 1}" + (f" ({identify} {name})" if name is not None else "")

    try:
        return TypeAdapter(list[record]).validate_python(values)  # type: ignore[valid-type]
    except ValidationError as error:
        raise _explain(error, path, place, depth=1) from error


def read_lines(path: Path, record: type[T]) -> Iterator[tuple[int, T]]:
    """Yield line numbers (from 1) and records of a JSON Lines file; blank lines are skipped.

    Raises
    ------
    InputError
        A line is not JSON, or not such a record; the line is named.

    """
    adapter = TypeAdapter(record)
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            value = parse_json(line, path, line=number)
            try:
                yield number, adapter.validate_python(value)
            except ValidationError as error:
                raise _explain(error, path, lambda _: "record", depth=0, line=number, text=line) from error


def read_names(path: Path) -> dict[str, list[str]]:
    """Read `documents.json`, the names of each document by its id; a missing file names none."""
    if not path.exists():
        return {}
    try:
        return TypeAdapter(dict[str, list[str]]).validate_python(read_json(path))
    except ValidationError as error:
        raise _explain(error, path, lambda _: "names of a document", depth=0) from error


def read_fields(path: Path, columns: Sequence[str], separator: str | None) -> pl.DataFrame:
    """Read a text file of separated fields as strings, with the column `line` (from 1) before them.

    Parameters
    ----------
    path : Path
        The file; blank lines are skipped.
    columns : sequence of str
        The fields of every line.
    separator : str or None
        What separates fields; None: any white space.

    Raises
    ------
    InputError
        A line has a different number of fields.

    """
    rows = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        fields = line.rstrip("\r").split(separator)
        if len(fields) != len(columns):
            raise InputError(
                path,
                f"expected {len(columns)} fields ({' '.join(columns)}), found {len(fields)}. "
                "Correct this line.",
                line=number,
            )
        rows.append((number, *fields))
    schema = {"line": pl.Int64(), **dict.fromkeys(columns, pl.String())}
    return pl.DataFrame(rows, schema=schema, orient="row")


def to_numbers(frame: pl.DataFrame, path: Path, types: dict[str, pl.DataType]) -> pl.DataFrame:
    """Turn columns of `read_fields` into finite numbers.

    Raises
    ------
    InputError
        A field is not a finite number, or beyond its type; line and column of the first are named.

    """
    numbers = frame.with_columns(pl.col(column).cast(kind, strict=False) for column, kind in types.items())
    for column, kind in types.items():
        wrong = ~numbers[column].is_finite().fill_null(value=False)
        if wrong.any():
            row = frame.row(int(wrong.arg_max() or 0), named=True)
            raise InputError(
                path,
                f"{column}: expected {_wanted(kind)}, found {row[column]!r}. Correct this line.",
                line=row["line"],
                column=_column(path, row, column),
            )
    return numbers


def _wanted(kind: pl.DataType) -> str:
    if not kind.is_integer():
        return "a finite number"
    limits = np.iinfo(str(kind).lower())
    return f"a whole number from {limits.min} to {limits.max}"


def _column(path: Path, row: Mapping[str, Any], column: str) -> int:
    """Return the column (from 1) at which a field of `read_fields` begins."""
    line = read_text(path).split("\n")[row["line"] - 1]
    place = 0
    for name, field in row.items():
        if name != "line":
            place = line.index(field, place)
            if name == column:
                break
            place += len(field)
    return place + 1


def refuse_repeats(frame: pl.DataFrame, path: Path, key: Sequence[str]) -> None:
    """Raise InputError when two lines have the same `key`; both lines are named."""
    repeated = frame.filter(frame.select(key).is_duplicated()).sort("line")
    if repeated.height:
        first = repeated.row(0, named=True)
        same = repeated.filter(pl.all_horizontal(pl.col(column) == first[column] for column in key))
        raise InputError(
            path,
            f"{' and '.join(f'{column} {first[column]}' for column in key)}: expected once, "
            f"found on lines {same['line'][0]} and {same['line'][1]}. Remove one.",
            line=same["line"][1],
        )


def _explain(
    error: ValidationError,
    path: Path,
    place: Callable[[Sequence[Any]], str],
    depth: int,
    line: int | None = None,
    text: str = "",
) -> InputError:
    problem = error.errors()[0]
    where = problem["loc"]
    field = ".".join(str(part) for part in where[depth:])
    found = "" if problem["type"] == "missing" else f", found {_kind(problem['input'])}"
    if problem["type"] == "value_error":
        found = "" if isinstance(problem["input"], dict) else found
        said = str(problem["ctx"]["error"])
    elif problem["type"] == "union_tag_invalid":
        context = problem["ctx"]
        field = context["discriminator"].strip("'")
        where = (*where, field)
        said, found = f"expected one of {context['expected_tags']}", f", found {context['tag']!r}"
    else:
        said = "expected an object" if problem["type"] == "model_type" else problem["msg"].lower()
    message = f"{place(where)}: {field + ': ' if field else ''}{said}{found}. Correct the file."
    return InputError(path, message, line=line, column=_key_column(where, text))


def _key_column(where: Sequence[Any], text: str) -> int | None:
    """Return the column (from 1) of the key that an error names, or None if the key is not in the line."""
    places = (
        text.find(json.dumps(key, ensure_ascii=False)) for key in reversed(where) if isinstance(key, str)
    )
    return next((place + 1 for place in places if place >= 0), None)


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), repr(value)[:80])
