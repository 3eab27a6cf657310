"""Protocols: which questions are trained on, which are held out, and which are dropped.

Each is a function from the tables to a `Split`; this module has the one that keeps the published splits.
"""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

DROPPED = {"query_id": pl.String(), "repeats": pl.String(), "reason": pl.String()}
"""The columns of `Split.dropped`."""


@dataclass(frozen=True, eq=False)
class Split:
    """Questions as a protocol splits them.

    Parameters
    ----------
    queries, judgements : polars.DataFrame
        The tables without the dropped questions.
    dropped : polars.DataFrame
        Columns query_id, repeats (a held-out question that it is tied to, null if there is none) and
        reason, as in `folds.drop_repeats`.
    figures : dict of str to int
        Figures of the protocol. Evidence-disjoint: `components` (of all questions before any is
        dropped), `largest_component` (number of its questions) and `dropped_evidence`.
        Document-disjoint: `dropped_documents`.

    """

    queries: pl.DataFrame
    judgements: pl.DataFrame
    dropped: pl.DataFrame
    figures: dict[str, int]


def published(queries: pl.DataFrame, judgements: pl.DataFrame) -> Split:
    """Return the splits as published."""
    return Split(queries, judgements, pl.DataFrame(schema=DROPPED), {})
