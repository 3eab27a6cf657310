"""What is read from the texts of a corpus: edges, and the mentions that lead nowhere."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from rulerank.tables import EDGES

_SPAN = {"start": pl.Int32(), "end": pl.Int32()}
READ_EDGES = {**EDGES.columns, **_SPAN, "between": pl.Boolean()}
UNRESOLVED = {"source_id": pl.String(), "evidence": pl.String(), **_SPAN, "reason": pl.String()}


@dataclass(frozen=True, eq=False)
class Extraction:
    """What was read from a corpus.

    Parameters
    ----------
    edges : polars.DataFrame
        The columns of `rulerank.tables.EDGES`, and `start` and `end` (int32): the evidence is
        `text[start:end]` of the passage that states the edge. This passage is the source, except for
        DELEGATES_TO edges read from a target that says what it specifies, and SUPERSEDES edges read from a
        third passage. Also `between` (bool): whether the target is cited only as part of a range, between its
        ends.
    unresolved : polars.DataFrame
        source_id, evidence, start, end, and the reason: "unknown document", "no such section" or "ambiguous".
        One row per number that leads nowhere.
    resolved : int
        How many numbers lead to a passage, each counted as often as it is cited.

    """

    edges: pl.DataFrame
    unresolved: pl.DataFrame
    resolved: int

    def reasons(self) -> dict[str, int]:
        """Return how many references are unresolved, by reason."""
        return dict(self.unresolved["reason"].value_counts().sort("reason").iter_rows())
