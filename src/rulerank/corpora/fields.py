"""Text files of separated fields, and of numbered lines: an error names the file, the line and the column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.text import composed


def read_fields(path: Path, columns: Sequence[str], separator: str | None) -> pl.DataFrame:
    """Read a text file of separated fields as strings in form NFC, with the column `line` (from 1) before.

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
    for number, line in enumerate(composed(read_text(path)).split("\n"), start=1):
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
    line = composed(read_text(path)).split("\n")[row["line"] - 1]
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
