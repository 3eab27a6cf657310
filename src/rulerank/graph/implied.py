"""Edges that follow from other edges, and from the dates on which passages take effect."""

from __future__ import annotations

import polars as pl

from rulerank.errors import InputError
from rulerank.tables import EDGES, has_text

_MIRRORED = {"DELEGATES_TO": "SPECIFIES", "SPECIFIES": "DELEGATES_TO"}

MOST_BY_DATE = 5_000_000
"""The most edges from dates. Passages of one scope and two dates make as many as their numbers multiplied."""


def delegations_turned(edges: pl.DataFrame) -> pl.DataFrame:
    """Return, for each DELEGATES_TO edge, the SPECIFIES edge in the other direction, and vice versa.

    A delegation has two ends: the rule that leaves a matter to a lower rule, and the rule that fills it in.
    Whichever of them the text states, the other holds too, with the same evidence.
    """
    return edges.filter(pl.col("type").is_in(list(_MIRRORED))).select(
        source_id="target_id",
        target_id="source_id",
        type=pl.col("type").replace_strict(_MIRRORED, return_dtype=pl.String()),
        evidence="evidence",
    )


def cited_by(edges: pl.DataFrame) -> pl.DataFrame:
    """Return, for each REFERENCES edge, the reverse CITED_BY edge (ObliQA-MP), with the same evidence."""
    return edges.filter(type="REFERENCES").select(
        source_id="target_id", target_id="source_id", type=pl.lit("CITED_BY"), evidence="evidence"
    )


def superseded_by_date(passages: pl.DataFrame) -> pl.DataFrame:
    """Return SUPERSEDES edges newer -> older among passages of one scope and one kind.

    A passage supersedes those of the last date before its own `effective_from`, and no older ones. What those
    superseded in turn follows by transitivity. Dates strictly decrease along every edge, so there is no
    cycle. Passages of one date leave each other in force. One without scope, date or text takes no part.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    Returns
    -------
    polars.DataFrame
        The edges table, in the order of the passages; the evidence is the two dates, newer first.

    Raises
    ------
    InputError
        There are more than `MOST_BY_DATE` edges.

    """
    group = ["scope", "kind"]
    dated = (
        passages.with_row_index("row")
        .filter(
            pl.col("scope").is_not_null(),
            pl.col("effective_from").is_not_null(),
            has_text(passages),
        )
        .select("row", "passage_id", *group, "effective_from")
    )
    before = (
        dated.select(*group, "effective_from")
        .unique()
        .sort(*group, "effective_from")
        .with_columns(before=pl.col("effective_from").shift(1).over(group))
        .drop_nulls("before")
    )
    _refuse_too_many(dated, before, group)
    pairs = dated.join(before, on=[*group, "effective_from"]).join(
        dated, left_on=[*group, "before"], right_on=[*group, "effective_from"], suffix="_older"
    )
    return pairs.sort("row", "row_older").select(
        source_id="passage_id",
        target_id="passage_id_older",
        type=pl.lit("SUPERSEDES"),
        evidence=pl.format("{} after {}", "effective_from", "before"),
    )


def _refuse_too_many(dated: pl.DataFrame, before: pl.DataFrame, group: list[str]) -> None:
    sizes = dated.group_by(*group, "effective_from").agg(pl.len().cast(pl.Int64).alias("size"))
    pairs = before.join(sizes, on=[*group, "effective_from"]).join(
        sizes, left_on=[*group, "before"], right_on=[*group, "effective_from"], suffix="_before"
    )
    counts = pairs.group_by("scope").agg((pl.col("size") * pl.col("size_before")).sum().alias("edges"))
    if counts["edges"].sum() > MOST_BY_DATE:
        largest = counts.sort("edges", "scope")["scope"][-1]
        raise InputError(
            "passages",
            f"scope: expected at most {MOST_BY_DATE} pairs in which one passage supersedes another by date, "
            f"found {counts['edges'].sum()}, most of them in {largest!r}. Give passages about different "
            "matters different scopes.",
        )


def implied(edges: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return all edges that follow from `edges` and `passages`; some may already be among `edges`."""
    parts = [delegations_turned(edges), superseded_by_date(passages)]
    return pl.concat([part.select(list(EDGES.columns)) for part in parts])
