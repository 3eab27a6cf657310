"""A log of served features for later study: one line of JSON per question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl

from rulerank.bundle import RANKER, Bundle
from rulerank.errors import InputError
from rulerank.files import add_line, make_folder, parse_json, read_text, require_lines_of
from rulerank.ranker.ranker import Ranker
from rulerank.ranker.ranking import Ranking

Served = Callable[[str, Ranking], None]
"""Takes a question and the ranking that answered it."""

LOGGED = {
    "time": pl.Datetime("us", "UTC"),
    "bundle": pl.String(),
    "question": pl.String(),
    "model": pl.String(),
    "as_of": pl.Date(),
    "passage_id": pl.List(pl.String()),
    "score": pl.List(pl.Float64()),
}
"""The columns of a log before `features`; lists have one value per candidate, best first."""


WITH_ZONE = "%+"
"""An ISO time with its zone. Without a format, polars takes that of the first line."""


class LoggedRanker(Ranker):
    """A ranker that passes on each question of `rank` and `answer`, with all candidates and their features.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    served : callable
        For example a `FeatureLog`. It is called before the answer is returned.

    """

    def __init__(self, bundle: Bundle, served: Served) -> None:
        super().__init__(bundle)
        self._served = served

    def ranking(
        self, question: str, *, model: str = RANKER, as_of: date | None = None, without: Sequence[str] = ()
    ) -> Ranking:
        """Return all candidates of a question in order, as `Ranker.ranking` does."""
        ranking = super().ranking(question, model=model, as_of=as_of, without=without)
        self._served(question, ranking)
        return ranking


class FeatureLog:
    """Adds a line to a file for each ranking; threads and processes may share the file.

    A line holds the question, its candidates and all their features: about 400 kB for 300 candidates with 119
    features. It holds what people asked, so keep it no longer than is permitted.

    Parameters
    ----------
    path : Path
        The file, `.jsonl`.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        make_folder(path.parent)
        if path.is_dir():
            raise InputError(path, "expected a file to write, found a folder. Add a file name to the path.")
        require_lines_of(path, b'{"time":')

    def __call__(self, question: str, ranking: Ranking) -> None:
        """Add one ranking."""
        line = logged(question, ranking, datetime.now(UTC)).write_ndjson().encode()
        add_line(self._path, line)


def logged(question: str, ranking: Ranking, time: datetime) -> pl.DataFrame:
    """Return one ranking as a row of a log; see `LOGGED`."""
    names, matrix = ranking.bundle.features.names, ranking.matrix
    columns = [pl.Series(name, [matrix[:, place]], pl.List(pl.Float32)) for place, name in enumerate(names)]
    row = {
        "time": [time],
        "bundle": [ranking.bundle.manifest["digest"]],
        "question": [question],
        "model": [ranking.model],
        "as_of": [ranking.as_of],
        "passage_id": [ranking.first(len(ranking.rows))],
        "score": [ranking.scores.tolist()],
    }
    features = pl.DataFrame(columns).select(pl.struct(pl.all()).alias("features"))
    return pl.DataFrame(row, schema=LOGGED).hstack(features)


def read_log(path: Path, names: Sequence[str]) -> pl.DataFrame:
    """Read a log of features with these names.

    Raises
    ------
    InputError
        The file does not exist, or a line of it, which is named, holds something else.

    """
    try:
        known = _rankings(path, names)
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
    wide = known.unnest("features")
    if not known.height:
        raise InputError(path, "expected rankings, found no line. Check the path.")
    for row in wide.select(pl.any_horizontal(pl.all().is_null())).to_series().arg_true()[:1]:
        lacking = [name for name, value in wide.row(row, named=True).items() if value is None]
        raise InputError(
            path,
            f"expected a ranking with the features of this ranker, found no {', '.join(lacking)}. "
            "Check log and bundle.",
            line=_line(path, row),
        )
    passages = pl.col("passage_id").list.len()
    uneven = wide.select(pl.any_horizontal(pl.col("score", *names).list.len() != passages)).to_series()
    if uneven.any():
        raise InputError(
            path,
            "expected as many scores and values of each feature as passages, found others. Leave it out.",
            line=_line(path, uneven.arg_true()[0]),
        )
    return known


def _rankings(source: Path | bytes, names: Sequence[str]) -> pl.DataFrame:
    """Read lines of a log with features of these names."""
    features = pl.Struct({name: pl.List(pl.Float32()) for name in names})
    stored = {**LOGGED, "time": pl.String(), "as_of": pl.String(), "features": features}
    return pl.read_ndjson(source, schema=stored).with_columns(
        time=pl.col("time").str.to_datetime(WITH_ZONE, time_unit="us", time_zone="UTC"),
        as_of=pl.col("as_of").str.to_date(),
    )


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
