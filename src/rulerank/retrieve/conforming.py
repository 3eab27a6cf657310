"""Checks of the hits of a plugged-in generator, where they enter rather than where they would do harm."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rulerank.errors import InputError
from rulerank.retrieve.hits import Hits

_KINDS = {"rows": np.int64, "columns": np.int64, "scores": np.floating}


def require_hits(hits: Hits, run: str, *, questions: int, passages: int, depth: int) -> None:
    """Raise InputError unless hits are as `Generator.search` promises them.

    Parameters
    ----------
    hits : Hits
        What the generator of a run has found.
    run : str
        The name of the run, for the message.
    questions, passages : int
        How many there are of either.
    depth : int
        Maximum number of hits per question.

    """
    fault = next(_faults(hits, questions, passages, depth), None)
    if fault is not None:
        raise InputError(f"run {run}", f"{fault}. Correct `search` of its generator.")


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
    if np.isnan(scores).any():
        yield "expected a number as each score, found NaN"
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
