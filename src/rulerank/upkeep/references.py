"""The curated cross-references of a corpus whose passages change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import polars as pl

from rulerank.tables import EDGES


def targets_of(key: str, cites: Sequence[str] | None) -> list[str]:
    """Return the passages that the list of a passage cites: others than itself, each once."""
    return [target for target in dict.fromkeys(cites or ()) if target not in ("", key)]


def cited_by(references: pl.DataFrame | None, sources: Collection[str]) -> dict[str, list[str]]:
    """Return what some passages cite by a curated table, without those that cite nothing."""
    if references is None:
        return {}
    named = references.filter(pl.col("source_id").is_in(list(sources)))
    return dict(named.group_by("source_id", maintain_order=True).agg("target_id").iter_rows())


def references_after(
    references: pl.DataFrame | None,
    passage_ids: pl.Series,
    withdrawn: Collection[str],
    cites: Mapping[str, Sequence[str]],
) -> pl.DataFrame | None:
    """Return the curated references after a change, or None if no passage states any.

    References to withdrawn passages stay, as in the corpus file.

    Parameters
    ----------
    references : polars.DataFrame or None
        Those before the change.
    passage_ids : polars.Series
        The passages after the change.
    withdrawn : collection of str
        The passages that went, and what they cite with them.
    cites : mapping of str to sequence of str
        What passages cite from now on.

    """
    rows = [(source, target, "REFERENCES", "") for source, cited in cites.items() for target in cited]
    stated = pl.DataFrame(rows, schema=dict(EDGES.columns), orient="row")
    before = EDGES.empty() if references is None else references
    kept = before.filter(~pl.col("source_id").is_in([*withdrawn, *cites]))
    # As a reader finds them, passage by passage.
    left = _by_source(pl.concat([kept, stated]), passage_ids) if rows else kept
    return left if left.height else None


def _by_source(references: pl.DataFrame, passage_ids: pl.Series) -> pl.DataFrame:
    places = pl.DataFrame({"source_id": passage_ids}).with_row_index("place")
    placed = references.join(places, on="source_id", how="left", maintain_order="left")
    return placed.sort("place", nulls_last=True, maintain_order=True).drop("place")
