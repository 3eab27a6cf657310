"""What one ranker served, read from a log of features."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import polars as pl

from rulerank.bundle import Bundle
from rulerank.errors import InputError
from rulerank.files import literal, parse_json, read_text
from rulerank.ranker.checks import require_model
from rulerank.ranker.feature_log import LOGGED
from rulerank.text import require_question

WITH_ZONE = "%+"
"""An ISO time with its zone. Without a format, polars takes that of the first line."""

_TIMES = datetime(1970, 1, 1, tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
"""The first and last time that may be logged: Python can hold them, and the beginnings of their windows."""


def read_log(path: Path, bundle: Bundle) -> tuple[pl.DataFrame, int]:
    """Read the rankings of one ranker from a log of features, which others may have extended.

    Parameters
    ----------
    path : Path
        The file that a `FeatureLog` wrote.
    bundle : Bundle
        The ranker.

    Returns
    -------
    log : frame with the columns `LOGGED` and `features`
        A row for each question that this ranker answered, perhaps none.
    other : int
        How many questions other rankers answered; nothing else of their lines is read.

    Raises
    ------
    InputError
        The file does not exist, or a line of it, which is named, holds something else.

    """
    known = _read(path, bundle.features.names).with_row_index("row")
    if not known.height:
        raise InputError(path, "expected rankings, found no line. Check the path.")
    # A line that names no ranker belongs to no other one either, so it is refused.
    own = known.filter((pl.col("bundle") == bundle.manifest["digest"]).fill_null(True))
    _require_whole(path, own.unnest("features"), bundle.features.names)
    _require_times(path, own)
    _require_askable(path, own, bundle.names)
    return own.drop("row"), known.height - own.height


def _read(path: Path, names: Sequence[str]) -> pl.DataFrame:
    try:
        return _rankings(literal(path), names)
    except (pl.exceptions.PolarsError, OSError) as error:
        # Polars does not say which line it was: the last one of a process that was killed, most likely.
        for number, line in enumerate(read_text(path).split("\n"), start=1):
            if line.strip():
                parse_json(line, path, line=number)
                try:
                    _rankings(line.encode(), names)
                except pl.exceptions.PolarsError as found:
                    raise _no_ranking(path, found, number) from found
        raise _no_ranking(path, error) from error


def _rankings(source: str | bytes, names: Sequence[str]) -> pl.DataFrame:
    """Read lines of a log with features of these names."""
    features = pl.Struct({name: pl.List(pl.Float32()) for name in names})
    stored = {**LOGGED, "time": pl.String(), "as_of": pl.String(), "features": features}
    return pl.read_ndjson(source, schema=stored).with_columns(
        time=pl.col("time").str.to_datetime(WITH_ZONE, time_unit="us", time_zone="UTC"),
        as_of=pl.col("as_of").str.to_date(),
    )


def _require_whole(path: Path, wide: pl.DataFrame, names: Sequence[str]) -> None:
    """Raise InputError if a line lacks a feature, or has more or fewer values than passages."""
    for row in wide.filter(pl.any_horizontal(pl.all().is_null())).head(1).iter_rows(named=True):
        lacking = [name for name, value in row.items() if value is None]
        raise InputError(
            path,
            f"expected a ranking with the features of this ranker, found no {', '.join(lacking)}. "
            "Check log and bundle.",
            line=_line(path, row["row"]),
        )
    passages = pl.col("passage_id").list.len()
    uneven = wide.filter(pl.any_horizontal(pl.col("score", *names).list.len() != passages))
    if uneven.height:
        raise InputError(
            path,
            "expected as many scores and values of each feature as passages, found others. Leave it out.",
            line=_line(path, uneven["row"][0]),
        )


def _require_times(path: Path, own: pl.DataFrame) -> None:
    """Raise InputError if a line was logged at a time that no clock shows."""
    for row in own.filter(~pl.col("time").is_between(*_TIMES))["row"].head(1):
        raise InputError(
            path,
            "time: expected one of the years 1970 to 9999 in UTC, found another. Leave the line out.",
            line=_line(path, row),
        )


def _require_askable(path: Path, own: pl.DataFrame, models: Sequence[str]) -> None:
    """Raise InputError if a line holds no question for one of the models, so that none can be asked again."""
    for row, question, model in own.select("row", "question", "model").iter_rows():
        try:
            require_question(question)
            require_model(model, models)
        except InputError as error:
            raise InputError(path, f"{error} Or leave the line out.", line=_line(path, row)) from error


def _no_ranking(path: Path, error: Exception, line: int | None = None) -> InputError:
    found = str(error).splitlines()[0]
    return InputError(
        path,
        f"expected a ranking of `rulerank rank --features-log`, found something else ({found}). "
        "Check the path, or leave the line out.",
        line=line,
    )


def _line(path: Path, row: int) -> int:
    """Return the number of the line that holds a row; blank lines hold none."""
    numbered = enumerate(read_text(path).split("\n"), start=1)
    return [number for number, line in numbered if line.strip()][row]
