"""What is known about a passage before any question: one float32 array per fact."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.tables import KINDS


def static_facts(
    passages: pl.DataFrame,
    centrality: pl.DataFrame,
    lengths: IntArray,
    duties: Mapping[str, FloatArray],
) -> dict[str, FloatArray]:
    """Return the facts of N passages, each of shape (N,).

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    centrality : polars.DataFrame
        passage_id, pagerank, hits_authority, degree.
    lengths : array of shape (N,)
        Number of analysed terms of each passage.
    duties : mapping of str to array of shape (N,)
        How many sentences of each passage state each duty.

    """
    central = passages.select("passage_id").join(
        centrality, on="passage_id", how="left", maintain_order="left", validate="1:1"
    )
    return {
        **tabled_facts(passages),
        **{name: _array(central[name]) for name in ("pagerank", "hits_authority", "degree")},
        **duties,
        "length": lengths.astype(np.float32),
    }


def tabled_facts(passages: pl.DataFrame) -> dict[str, FloatArray]:
    """Return the facts that the passages table contains, each of shape (N,)."""
    kinds = {kind: place for place, kind in enumerate(KINDS)}
    facts = passages.select(
        kind=pl.col("kind").replace_strict(kinds, return_dtype=pl.Float32),
        tier=pl.col("tier").cast(pl.Float32),
        place=pl.struct("position", "passage_id").rank("ordinal").over("document_id").cast(pl.Float32),
        document_size=pl.len().over("document_id").cast(pl.Float32),
        repeats=(pl.len().over(pl.col("text").str.to_lowercase().str.strip_chars()) - 1).cast(pl.Float32),
    )
    return {name: _array(facts[name]) for name in facts.columns}


def _array(column: pl.Series) -> FloatArray:
    return column.cast(pl.Float32).fill_null(float("nan")).to_numpy()
