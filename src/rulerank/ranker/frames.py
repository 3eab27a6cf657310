"""Frames of polars and pandas: the input and the output of a ranker."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from numbers import Real
from types import NoneType
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.arrays import FloatArray
from rulerank.errors import InputError
from rulerank.passages import RankedPassage
from rulerank.ranker.checks import QUESTIONS

RANKED = {
    "query_id": pl.String(),
    "rank": pl.Int32(),
    "passage_id": pl.String(),
    "document_id": pl.String(),
    "document": pl.String(),
    "section": pl.String(),
    "text": pl.String(),
    "score": pl.Float64(),
    "probability": pl.Float64(),
    "voided_by": pl.List(pl.String()),
    "reasons": pl.List(
        pl.Struct({"feature": pl.String(), "value": pl.Float64(), "contribution": pl.Float64()})
    ),
}
"""Columns of `to_frame`."""


def to_frame(results: Mapping[str, Sequence[RankedPassage]]) -> pl.DataFrame:
    """Return rankings as one frame, one row per passage; its `to_pandas` gives a pandas frame.

    Parameters
    ----------
    results : mapping of str to sequence of RankedPassage
        By question id, what `Ranker.rank` returned, or one item of what `Ranker.rank_many` returned.

    """
    rows = [
        {"query_id": query_id, **asdict(passage)}
        for query_id, ranked in results.items()
        for passage in ranked
    ]
    return pl.DataFrame(rows, schema=RANKED)


def questions_frame(queries: object) -> pl.DataFrame:
    """Return questions as a polars frame, whichever library their frame comes from.

    Raises
    ------
    InputError
        They are not a frame, or a pandas column holds values of several kinds.

    """
    if isinstance(queries, pl.DataFrame):
        return queries
    if not _of_pandas(queries):
        raise InputError(
            "queries",
            f"expected a frame of polars or pandas with query_id and text, found {_kind(queries)}. Give one.",
        )
    frame: Any = queries
    if frame.columns.nlevels > 1:
        raise InputError("queries", "expected columns with one name each, found several levels. Join them.")
    schema = {name: kind for name, kind in QUESTIONS.columns.items() if name in frame.columns}
    for name in schema:
        if list(frame.columns).count(name) > 1:
            raise InputError("queries", f"expected one column {name}, found several. Rename the others.")
    # Through objects, not through Arrow, which an exported ranker does not need to have installed.
    values = {name: frame[name].astype(object).where(frame[name].notna(), None).tolist() for name in schema}
    try:
        return pl.DataFrame(values, schema)
    except (TypeError, UnicodeEncodeError) as error:
        found = str(error).partition("\n")[0]
        raise InputError(
            "queries", f"expected strings in {' and '.join(schema)}: {found}. Correct the frame."
        ) from error


def feature_matrix(features: object, names: Sequence[str]) -> FloatArray:
    """Return features as a matrix of shape (rows, len(names)).

    Parameters
    ----------
    features : array of that shape, or frame of polars or pandas
        Columns of a frame are found by name; other columns are ignored.
    names : sequence of str
        The columns, in order.

    Raises
    ------
    InputError
        A column is missing, or a value is not a number.

    """
    found: Any = features
    if isinstance(features, pl.DataFrame) or _of_pandas(features):
        missing = [name for name in names if name not in found.columns]
        if missing:
            raise InputError(
                "features",
                f"expected the columns of Ranker.features, found no {', '.join(missing)}. Add them.",
            )
        found = found[list(names)].to_numpy()
    try:
        with np.errstate(over="raise"):
            matrix = np.array(_numbers(np.asarray(found)), np.float32)
            matrix[np.ma.getmaskarray(found)] = np.nan
    except (TypeError, ValueError, FloatingPointError) as error:
        raise InputError(
            "features",
            f"expected numbers in single precision, NaN where one is missing: {error}. Correct them.",
        ) from error
    if matrix.ndim != 2 or matrix.shape[1] != len(names):
        raise InputError(
            "features",
            f"expected a matrix of {len(names)} columns, those of Ranker.features, or a frame; "
            f"found {_kind(features)} of shape {matrix.shape}. Give one of that width.",
        )
    return matrix


def _numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Return an array of numbers; TypeError for what NumPy would turn into numbers: strings, dates."""
    kinds = {type(each) for each in values.flat} if values.dtype == object else {values.dtype.type}
    if strange := [kind for kind in kinds if not issubclass(kind, Real | Decimal | np.bool_ | NoneType)]:
        raise TypeError(f"found {', '.join(sorted(kind.__name__ for kind in strange))}")
    return values


def _of_pandas(value: object) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)


def _kind(value: object) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"
