"""The tables of a bundle: the corpus that it ranks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.bundle.damage import expecting, require
from rulerank.bundle.names import DOCUMENT_TABLE, EDGE_TABLE, PASSAGE_TABLE
from rulerank.tables import DOCUMENTS, EDGES, PASSAGES

ORDERED = ("passage_id", "text")
"""Columns of the passages table; the manifest keeps a hash of their values in order."""


def order_of(passages: pl.DataFrame) -> dict[str, str]:
    """Return a hash of each of `ORDERED`; any other order of the passages changes it."""
    return {name: _hash(passages[name]) for name in ORDERED}


def load_tables(
    folder: Path, manifest: Mapping[str, Any], largest: int | None
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Read documents, passages and edges.

    Parameters
    ----------
    folder : Path
        The bundle.
    manifest : mapping
        Its manifest.
    largest : int or None
        Bytes of a table above which its rows are not read; None reads all.

    Raises
    ------
    BundleError
        A table breaks its contract, or the passages are in a different order than at the export.

    """
    tables = []
    for table, name in ((DOCUMENTS, DOCUMENT_TABLE), (PASSAGES, PASSAGE_TABLE), (EDGES, EDGE_TABLE)):
        path = folder / name
        with expecting(f"the {table.name} table", path):
            frame = table.map(path)
            tables.append(frame if _too_large(path, largest) else table.check(frame, path))
    documents, passages, edges = tables
    path = folder / PASSAGE_TABLE
    with expecting("the passages in the order of the index", path):
        require(passages.height > 0, "none")
        require(manifest["passages"].keys() == set(ORDERED), "a manifest without their order")
        for name, expected in manifest["passages"].items():
            if name == "passage_id" or not _too_large(path, largest):
                require(_hash(passages[name]) == expected, f"another order of {name}")
        unknown = set(passages["document_id"].unique()) - set(documents["document_id"])
        require(not unknown, f"documents that {DOCUMENT_TABLE} lacks: {', '.join(sorted(unknown)[:3])}")
    return documents, passages, edges


def _too_large(path: Path, largest: int | None) -> bool:
    return largest is not None and path.stat().st_size > largest


def _hash(values: pl.Series) -> str:
    return hashlib.sha256("\0".join(values.to_list()).encode()).hexdigest()
