"""A log of served features for later study: one line of JSON per question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import polars as pl

from rulerank.bundle import RANKER, Bundle
from rulerank.errors import InputError
from rulerank.files import add_line, make_folder, require_lines_of
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


class LoggedRanker(Ranker):
    """A ranker that passes on each question of `rank` and `answer`, with all candidates and their features.

    A question that is asked `without` some passages is not passed on: it is a what-if, and
    asked again it would find those passages.

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
        if not without:
            self._served(question, ranking)
        return ranking


class FeatureLog:
    """Adds a line to a file for each ranking; threads and processes may share the file.

    A line holds the question, its candidates and all their features: about 250 kB for 300 candidates with 114
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
