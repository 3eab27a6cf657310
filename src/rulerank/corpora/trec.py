"""TREC runs and judgements, and LETOR/SVMlight feature files, read and written without losing a digit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from rulerank.corpora.fields import read_fields, refuse_repeats, to_numbers
from rulerank.errors import InputError
from rulerank.files import read_text, write_text
from rulerank.tables import FEATURES, HIGHEST, JUDGEMENTS, RUNS

_MOST = np.iinfo(np.int32).max - 1
"""The highest rank that can be raised by 1."""
_PLACE = ("run", "query_id", "rank")


def read_run(path: Path) -> pl.DataFrame:
    """Read a TREC run (`query Q0 passage rank score run`) as the table `RUNS`, in the file's order.

    Ranks of a file that counts from 0 are raised by 1.

    Raises
    ------
    InputError
        A line does not have six fields, a rank is not a whole number from 0, a score is not a finite number,
        or a run lists a passage or a rank twice for one query.

    """
    frame = read_fields(path, ("query_id", "q0", "passage_id", "rank", "score", "run"), None)
    frame = to_numbers(frame, path, {"rank": RUNS.columns["rank"], "score": RUNS.columns["score"]})
    wrong = frame.filter(~pl.col("rank").is_between(0, _MOST))
    if wrong.height:
        raise InputError(
            path,
            f"rank: expected a whole number from 0 or 1 to {_MOST}, found {wrong['rank'][0]}. "
            "Correct this line.",
            line=wrong["line"][0],
        )
    # Some systems count from 0.
    frame = frame.with_columns(pl.col("rank") + (pl.col("rank").min() == 0).cast(RUNS.columns["rank"]))
    refuse_repeats(frame, path, RUNS.key)
    refuse_repeats(frame, path, _PLACE)
    return RUNS.check(frame.select(list(RUNS.columns)), path)


def write_run(runs: pl.DataFrame, path: Path) -> None:
    """Write the table `RUNS` as a TREC run, each query's passages by rank.

    Scores have as many digits as it takes to read the same number back; among equal scores, the rank keeps
    the order. An id, rank or score that `read_run` would refuse raises InputError, and nothing is written.
    """
    _require_writable(runs, ("query_id", "passage_id", "run"), path)
    _require_numbers(runs, ("rank", "score"), path)
    wrong = runs.filter((pl.col("rank") < 1) | pl.struct(_PLACE).is_duplicated())
    if wrong.height:
        raise InputError(
            path,
            f"query {wrong['query_id'][0]}: expected ranks from 1 on, each once, found {wrong['rank'][0]}. "
            "Rank the passages again.",
        )
    row = pl.col("row").min()
    ordered = runs.with_row_index("row").sort(row.over("run"), row.over("run", "query_id"), "rank")
    _write_lines(ordered.select("query_id", pl.lit("Q0"), "passage_id", "rank", "score", "run"), path)


def read_qrels(path: Path) -> pl.DataFrame:
    """Read TREC judgements (`query iteration passage relevance`) as the table `JUDGEMENTS`.

    Rows of one query are grouped, in the order in which queries first appear.
    """
    frame = read_fields(path, ("query_id", "iteration", "passage_id", "relevance"), None)
    return to_judgements(frame, path)


def to_judgements(frame: pl.DataFrame, path: Path) -> pl.DataFrame:
    """Turn fields read as strings into the table `JUDGEMENTS`."""
    frame = to_numbers(frame, path, {"relevance": JUDGEMENTS.columns["relevance"]})
    refuse_repeats(frame, path, JUDGEMENTS.key)
    together = frame.sort(pl.col("line").min().over("query_id"), "line")
    return JUDGEMENTS.check(together.select(list(JUDGEMENTS.columns)), path)


def write_qrels(judgements: pl.DataFrame, path: Path) -> None:
    """Write the table `JUDGEMENTS` as TREC judgements."""
    _require_writable(judgements, ("query_id", "passage_id"), path)
    _require_numbers(judgements, ("relevance",), path)
    _write_lines(judgements.select("query_id", pl.lit("0"), "passage_id", "relevance"), path)


def write_letor(features: pl.DataFrame, names: Sequence[str], path: Path) -> None:
    """Write the table `FEATURES` as `relevance qid:query 1:value 2:value ... # passage`.

    Parameters
    ----------
    features : polars.DataFrame
        Rows to write, in order.
    names : sequence of str
        The columns that become features 1, 2, ... Missing values are written as `NaN`.
    path : Path
        The file.

    Raises
    ------
    InputError
        An id has white space, or a value is infinite or no number.

    """
    _require_writable(features, ("query_id", "passage_id"), path)
    _require_numbers(features, ("relevance",), path)
    endless = [name for name in names if features[name].is_infinite().any()]
    if endless:
        raise InputError(path, f"{endless[0]}: expected numbers or NaN, found infinity. Correct the table.")
    values = [
        pl.concat_str(pl.lit(f"{number}:"), pl.col(name).fill_null(float("nan")).cast(pl.String))
        for number, name in enumerate(names, start=1)
    ]
    query = pl.concat_str(pl.lit("qid:"), "query_id").alias("qid")
    _write_lines(
        features.select(
            pl.col("relevance").alias("label"),
            query,
            *(value.alias(f"{number}") for number, value in enumerate(values, start=1)),
            pl.lit("#").alias("#"),
            "passage_id",
        ),
        path,
    )


def read_letor(path: Path, names: Sequence[str]) -> pl.DataFrame:
    """Read a LETOR/SVMlight file as the table `FEATURES`.

    Parameters
    ----------
    path : Path
        The file; every line ends in `# passage_id`.
    names : sequence of str
        The names of features 1, 2, ... A feature missing from a line is 0, as in SVMlight.

    Raises
    ------
    InputError
        A line is not of this form, has a feature beyond `names` or one twice, a value too large for a number,
        or a relevance beyond those from which a ranker can learn.

    """
    keys: list[tuple[str, str, int]] = []
    lines = [(number, line) for number, line in enumerate(read_text(path).split("\n"), 1) if line.strip()]
    matrix = np.zeros((len(lines), len(names)))
    for row, (number, line) in enumerate(lines):
        body, _, passage_id = line.partition(" # ")
        label, query, *values = body.split() if passage_id.strip() else ("", "")
        try:
            query_id = _after(query, "qid:")
            keys.append((query_id, passage_id.strip(), int(label)))
            given = dict(_feature(value, len(names)) for value in values)
            if len(given) < len(values):
                raise ValueError(line)
            matrix[row, list(given)] = list(given.values())
        except ValueError as error:
            raise InputError(
                path,
                f"expected `relevance qid:query 1:value ... # passage` with at most {len(names)} features, "
                f"each once, a number or NaN, found {line[:80]!r}. Correct this line.",
                line=number,
            ) from error
        if not 0 <= int(label) <= HIGHEST:
            raise InputError(
                path,
                f"relevance: expected a whole number from 0 to {HIGHEST}, found {label}. Correct this line.",
                line=number,
            )
    frame = pl.DataFrame(keys, schema=dict(FEATURES.columns), orient="row")
    return FEATURES.check(frame.hstack(pl.DataFrame(matrix, schema=list(names))), path)


def _feature(text: str, count: int) -> tuple[int, float]:
    """Return the column and the value of one of `count` features, written as `number:value`."""
    place, _, digits = text.partition(":")
    value = float(digits)
    if math.isinf(value):
        raise ValueError(text)
    return range(1, count + 1).index(int(place)), value


def _after(text: str, prefix: str) -> str:
    rest = text.removeprefix(prefix)
    if rest in (text, ""):
        raise ValueError(text)
    return rest


def _require_writable(frame: pl.DataFrame, columns: Sequence[str], path: Path) -> None:
    for column in columns:
        for value in frame[column].unique(maintain_order=True):
            if value is None or value.split() != [value]:
                raise InputError(
                    path,
                    f"{column} {value!r}: expected an id without white space, which separates "
                    "the fields of this format. Rename it.",
                )


def _require_numbers(frame: pl.DataFrame, columns: Sequence[str], path: Path) -> None:
    for column in columns:
        wrong = ~frame[column].is_finite().fill_null(value=False)
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            raise InputError(
                path,
                f"{column}: expected a finite number, found {frame[column][row]} in row {row}. "
                "Correct the table.",
            )


def _write_lines(frame: pl.DataFrame, path: Path) -> None:
    lines = frame.select(pl.concat_str(pl.all().cast(pl.String), separator=" ")).to_series()
    write_text(path, "".join(f"{line}\n" for line in lines))
