"""Curated cross-references: the table of ObliQA, and those that any other reader found."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path

import polars as pl

from rulerank.errors import InputError
from rulerank.files import read_text
from rulerank.tables import EDGES
from rulerank.text import composed

_COLUMNS = ("SourceID", "ReferenceText", "TargetID")
_CELL = re.compile(r'(?:"[^"]*+(?:""[^"]*+)*+"|(?!")[^,\n]*+)(?:,|\n|\Z)')
"""A cell in or without quotes, and what ends it."""


def read_references(path: Path, passages: pl.DataFrame) -> tuple[pl.DataFrame | None, tuple[str, ...]]:
    """Read CrossReferenceData.csv as edges of type REFERENCES.

    Rows with the same source and target become one edge; its evidence joins their distinct texts with "; ".

    Returns
    -------
    edges : polars.DataFrame or None
        The table `rulerank.tables.EDGES`; None without rows.
    problems : tuple of str
        One line per reason, with the number of rows that give no edge.

    Raises
    ------
    InputError
        A column is missing, or the CSV is malformed: a record has more or fewer cells than the header, or the
        quotes of a cell do not close. Line and column are named.

    """
    rows = (
        (row["SourceID"].strip(), row["TargetID"].strip(), row["ReferenceText"].strip())
        for row in _rows(path)
    )
    return collect_references(rows, passages, path)


def collect_references(
    rows: Iterable[tuple[str, str, str]], passages: pl.DataFrame, source: Path
) -> tuple[pl.DataFrame | None, tuple[str, ...]]:
    """Return references as edges of type REFERENCES, and report those that lead to no edge of the graph.

    Parameters
    ----------
    rows : iterable of (str, str, str)
        Citing passage, cited passage, and the words that cite it.
    passages : polars.DataFrame
        The passages table.
    source : Path
        Where the rows come from, named in every problem.

    Returns
    -------
    edges : polars.DataFrame or None
        The table `rulerank.tables.EDGES`; rows of one pair become one edge, which joins their words with ";
        ". Those from or to an unknown passage are kept, because the passage may be added later. None without
        rows: an empty table does not say that nothing is cited.
    problems : tuple of str
        One line per reason, with the number of rows that give no edge.

    """
    known = set(passages["passage_id"])
    evidence: dict[tuple[str, str], list[str]] = {}
    reasons: Counter[str] = Counter()
    for citing, cited, words in rows:
        reason = _unusable(citing, cited, known)
        if reason is not None:
            reasons[reason] += 1
        if cited and citing != cited:
            texts = evidence.setdefault((citing, cited), [])
            if words not in texts:
                texts.append(words)
    problems = tuple(f"{source.name}: {count} rows {why}" for why, count in reasons.items())
    if not evidence:
        return None, problems
    edges = [(citing, cited, "REFERENCES", "; ".join(texts)) for (citing, cited), texts in evidence.items()]
    frame = pl.DataFrame(edges, schema=dict(EDGES.columns), orient="row")
    return EDGES.check(frame, source), problems


def _unusable(citing: str, cited: str, known: Container[str]) -> str | None:
    """Return why a row leads from no passage of the corpus to another one, or None if it does."""
    if not cited:
        return "without a target left out"
    if citing not in known:
        return "from an unknown passage give no edge"
    if cited not in known:
        return "to an unknown passage give no edge"
    return "from a passage to itself left out" if citing == cited else None


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """Yield each record that is not blank, by column name."""
    text = composed(read_text(path))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: list[str] = []
    ended = 0
    try:
        for cells in reader:
            line, ended = ended + 1, reader.line_num
            if line == 1:
                columns = _header(cells, path)
            elif len(cells) > 1 or "".join(cells).strip():
                if len(cells) != len(columns):
                    raise _uneven(cells, columns, path, _place(text, line, min(len(cells) - 1, len(columns))))
                yield dict(zip(columns, cells, strict=True))
    except csv.Error as error:
        line, column = _place(text, ended + 1)
        raise InputError(
            path,
            "malformed CSV: expected every cell to end at a comma or at the end of a line, with quotes in it "
            f"doubled, found a cell that does not: {error}. Correct the quotes of the cell that begins here.",
            line=line,
            column=column,
        ) from error
    if not columns:
        _header([], path)


def _header(cells: Sequence[str], path: Path) -> list[str]:
    """Return the names of the columns; those that are read must be among them."""
    columns = [name.strip() for name in cells]
    missing = [column for column in _COLUMNS if column not in columns]
    if missing:
        raise InputError(path, f"expected column {missing[0]!r}, found {columns}. Add the column.", line=1)
    return columns


def _uneven(cells: Sequence[str], columns: Sequence[str], path: Path, place: tuple[int, int]) -> InputError:
    """Return the error for a record that has more or fewer cells than the header has columns."""
    fewer = len(cells) < len(columns)
    where = f"none for {columns[len(cells)]!r} after this one" if fewer else f"this one after {columns[-1]!r}"
    return InputError(
        path,
        f"malformed CSV: expected {len(columns)} cells as in the header, found {len(cells)}, {where}. "
        "Add the commas that are missing, or quote the cell that holds one.",
        line=place[0],
        column=place[1],
    )


def _place(text: str, line: int, cells: int | None = None) -> tuple[int, int]:
    """Return line and column of a cell: `cells` after the first in `line`, or the first malformed one."""
    # Only `newline=None` ends a line at the same places as the reader of the records does.
    text = io.StringIO(text, newline=None).read()
    place = sum(len(each) + 1 for each in text.split("\n", line - 1)[: line - 1])
    limit = csv.field_size_limit()
    while cells != 0 and (cell := _CELL.match(text, place)) and place < cell.end() <= place + limit:
        place, cells = cell.end(), cells and cells - 1
    before = text[:place]
    return before.count("\n") + 1, place - before.rfind("\n")
