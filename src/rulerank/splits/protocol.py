"""Protocols: which questions are trained on, which are held out, and which are dropped.

Each is a function from the tables to a `Split`; here the one that leaves the published splits alone.
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
        Columns query_id, repeats (a held-out question that it is tied to, null where it is none) and
        reason, as of `folds.drop_repeats`.
    figures : dict of str to int
        What the protocol says of itself: of the evidence-disjoint one `components` (that the
        questions fall into before any is dropped), `largest_component` (its questions) and
        `dropped_evidence`; of the document-disjoint one `dropped_documents`.

    """

    queries: pl.DataFrame
    judgements: pl.DataFrame
    dropped: pl.DataFrame
    figures: dict[str, int]


def published(queries: pl.DataFrame, judgements: pl.DataFrame) -> Split:
    """Return the splits as published."""
    return Split(queries, judgements, pl.DataFrame(schema=DROPPED), {})
