"""The curated cross-reference table of ObliQA."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path

import polars as pl

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.tables import EDGES

_COLUMNS = ("SourceID", "ReferenceText", "TargetID")


def read_references(path: Path, passages: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Read CrossReferenceData.csv as edges of type REFERENCES.

    Rows of one source and target become one edge; its evidence joins their distinct texts by "; ".

    Returns
    -------
    edges : polars.DataFrame
        The table `rulerank.tables.EDGES`.
    problems : tuple of str
        One line a reason, with the number of rows left out.

    Raises
    ------
    InputError
        A column is missing or the CSV is malformed.

    """
    known = set(passages["passage_id"])
    evidence: dict[tuple[str, str], list[str]] = {}
    reasons: Counter[str] = Counter()
    for row in _rows(path):
        source, target = row["SourceID"].strip(), row["TargetID"].strip()
        if not target:
            reasons["without a target left out"] += 1
        elif source not in known:
            reasons["from an unknown passage left out"] += 1
        elif target not in known:
            reasons["to an unknown passage left out"] += 1
        elif source == target:
            reasons["from a passage to itself left out"] += 1
        else:
            texts = evidence.setdefault((source, target), [])
            if row["ReferenceText"].strip() not in texts:
                texts.append(row["ReferenceText"].strip())
    edges = [(source, target, "REFERENCES", "; ".join(texts)) for (source, target), texts in evidence.items()]
    frame = pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row")
    return EDGES.check(frame, path), tuple(
        f"{path.name}: {count} rows {why}" for why, count in reasons.items()
    )


def _rows(path: Path) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), restval="")
    try:
        reader.fieldnames = [name.strip() for name in reader.fieldnames or ()]
        missing = [column for column in _COLUMNS if column not in reader.fieldnames]
        if missing:
            raise InputError(
                path,
                f"expected column {missing[0]!r}, found {reader.fieldnames}. Add the column.",
                line=1,
            )
        return list(reader)
    except csv.Error as error:
        raise InputError(path, f"malformed CSV: {error}. Correct this line.", line=reader.line_num) from error
