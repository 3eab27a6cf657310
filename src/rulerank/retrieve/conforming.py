"""Checks of the hits of a plugged-in generator, where they enter rather than where they would do harm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rulerank.arrays import FloatArray
from rulerank.errors import InputError
from rulerank.retrieve.generator import Generator
from rulerank.retrieve.hits import Hits

_KINDS = {"rows": np.int64, "columns": np.int64, "scores": np.floating}


def require_hits(hits: Hits, generator: Generator, *, questions: int, depth: int) -> None:
    """Raise InputError unless hits are as `Generator.search` promises them.

    Parameters
    ----------
    hits : Hits
        What the generator has found.
    generator : Generator
        The plugged-in generator.
    questions : int
        How many there are.
    depth : int
        Maximum number of hits per question.

    """
    _require_none(_faults(hits, questions, len(generator), depth), generator, "search")


def require_scores(scores: FloatArray, generator: Generator, *, pairs: int) -> None:
    """Raise InputError unless scores are as `Generator.score` promises them.

    Parameters
    ----------
    scores : array of shape (pairs,)
        What the generator returned.
    generator : Generator
        The plugged-in generator.
    pairs : int
        How many pairs it was asked to score.

    """
    _require_none(_faults_of_scores(scores, generator.floor, pairs), generator, "score")


def _require_none(faults: Iterator[str], generator: Generator, method: str) -> None:
    fault = next(faults, None)
    if fault is not None:
        kind = type(generator)
        raise InputError(
            f"run {generator.name}",
            f"{fault}. Correct `{method}` of {kind.__module__}:{kind.__qualname__}.",
        )


def _faults_of_scores(scores: FloatArray, floor: float, pairs: int) -> Iterator[str]:
    """Yield what is wrong with the scores of pairs, as `_faults` does."""
    if not isinstance(scores, np.ndarray):
        yield f"expected an array of scores, found {type(scores).__name__}"
    if not np.issubdtype(scores.dtype, np.floating):
        yield f"expected scores of floats, found {scores.dtype}"
    if scores.shape != (pairs,):
        yield f"expected scores of shape {(pairs,)}, found {scores.shape}"
    infinite = scores[np.isinf(scores) & (scores != floor)]
    if infinite.size:
        yield f"expected a finite number, the floor or NaN as each score, found {infinite[0]}"


def _faults(hits: Hits, questions: int, passages: int, depth: int) -> Iterator[str]:
    """Yield what is wrong with hits; what comes after the first fault may be meaningless."""
    for name, kind in _KINDS.items():
        values = getattr(hits, name)
        if not np.issubdtype(values.dtype, kind):
            yield f"expected {name} of {'int64' if kind is np.int64 else 'floats'}, found {values.dtype}"
    rows, columns, scores = hits.rows, hits.columns, hits.scores
    if not rows.shape == columns.shape == scores.shape == (rows.size,):
        yield (
            "expected rows, columns and scores of one length, "
            f"found shapes {rows.shape}, {columns.shape} and {scores.shape}"
        )
    for name, values, size in (("rows", rows, questions), ("columns", columns, passages)):
        if ((values < 0) | (values >= size)).any():
            outside = values[(values < 0) | (values >= size)][0]
            yield f"expected {name} from 0 to {size - 1}, found {outside}"
    if (infinite := scores[~np.isfinite(scores)]).size:
        yield f"expected a finite number as each score, found {infinite[0]}"
    moved = np.lexsort((columns, -scores, rows)) != np.arange(len(rows))
    if moved.any():
        place = int(np.argmax(moved))
        yield (
            "expected the questions in order, the best passages of each first, and passages with equal "
            f"scores in their own order; found hit {place} out of order"
        )
    cells = np.sort(rows * passages + columns)
    if (repeated := cells[1:][np.diff(cells) == 0]).size:
        yield (
            f"expected a passage once for a question, found passage {repeated[0] % passages} "
            f"more than once for question {repeated[0] // passages}"
        )
    counts = np.bincount(rows, minlength=1)
    if counts.max() > depth:
        yield (
            f"expected at most {depth} hits for a question, "
            f"found {counts.max()} for question {counts.argmax()}"
        )
