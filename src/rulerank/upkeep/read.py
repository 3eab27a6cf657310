"""Changes read from JSON Lines and checked against the corpus."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.corpora.records import read_lines
from rulerank.errors import InputError
from rulerank.upkeep.changes import Changes, after_amendment
from rulerank.upkeep.lines import ChangeLine, Naming
from rulerank.upkeep.references import cited_by, targets_of


def read_changes(
    path: Path,
    passages: pl.DataFrame,
    references: pl.DataFrame | None = None,
    names: Mapping[str, Sequence[str]] | None = None,
) -> Changes:
    """Read the changes to a corpus; one that leaves a passage or the names of a document as they are is none.

    Parameters
    ----------
    path : Path
        JSON Lines: {"op": "add" | "amend" | "withdraw", "passage_id": ...} and the columns of the passages
        table, of which an added passage needs document_id and text; with "cites", the ids that it cites. Or
        {"op": "name", "document_id": ..., "names": [...]}.
    passages : polars.DataFrame
        The current passages.
    references : polars.DataFrame, optional
        The current curated cross-references.
    names : mapping of str to sequence of str, optional
        The current names of documents by id.

    Raises
    ------
    InputError
        The file holds no change, or a line cannot be used: it is malformed, adds a passage that exists,
        changes one that does not, or is about what an earlier line is about.

    """
    known = set(passages["passage_id"])
    lines: dict[tuple[str, str], int] = {}
    given_names: dict[str, list[str]] = {}
    columns: dict[str, dict[str, dict[str, Any]]] = {"add": {}, "amend": {}, "withdraw": {}}
    cites: dict[str, list[str]] = {}
    for line, read in read_lines(path, ChangeLine):
        record = read.root
        kind, key = record.about
        earlier = lines.setdefault((kind, key), line)
        if earlier != line:
            raise InputError(
                path,
                f"expected one change of each {kind}, found {key} also on line {earlier}. Make one of them.",
                line=line,
            )
        if isinstance(record, Naming):
            given_names[key] = record.names
            continue
        if (key in known) == (record.op == "add"):
            raise InputError(path, _unfitting(record.op, key, known), line=line)
        given = record.model_dump(exclude_unset=True, exclude={"op"})
        if record.op == "amend" and given.keys() == {"passage_id"}:
            raise InputError(path, f"expected a column of {key} to amend, found none. Add one.", line=line)
        if "cites" in given:
            cites[key] = targets_of(key, given.pop("cites"))
        columns[record.op][key] = given
    if not lines:
        raise InputError(path, "expected changes, one a line, found none. Check the path.")
    stated = {target for targets in cites.values() for target in targets}
    if references is None and stated and not stated & (known | columns["add"].keys()):
        # A corpus that lists what its passages cite is not read for citations.
        raise InputError(
            path,
            f"expected ids of passages in cites, found none of the corpus: {', '.join(sorted(stated)[:3])}. "
            "Correct them.",
        )
    cited = cited_by(references, cites)
    restated = {key for key, targets in cites.items() if targets != cited.get(key, [])}
    amended = _differing(columns["amend"], passages, restated)
    changed = {*amended, *columns["add"]}
    known_names = {key: [*each] for key, each in (names or {}).items()}
    return Changes(
        frozenset(columns["withdraw"]),
        amended,
        columns["add"],
        {key: targets for key, targets in cites.items() if key in changed},
        {key: given for key, given in given_names.items() if given != known_names.get(key)},
    )


def _differing(
    amendments: Mapping[str, Mapping[str, Any]], passages: pl.DataFrame, restated: Container[str]
) -> dict[str, Mapping[str, Any]]:
    """Return the amendments of passages to something else than they are, or cite."""
    named = passages.filter(pl.col("passage_id").is_in(list(amendments)))
    current = {row["passage_id"]: row for row in named.iter_rows(named=True)}
    return {
        key: columns
        for key, columns in amendments.items()
        if key in restated or after_amendment(current[key], columns) != current[key]
    }


def _unfitting(op: str, key: str, known: Iterable[str]) -> str:
    if op == "add":
        return f"expected a new passage to add, found {key}, which is there. Amend it, or give another id."
    close = difflib.get_close_matches(key, known, n=1)
    meant = f"; the nearest id is {close[0]}" if close else ""
    return f"expected a passage of the corpus to {op}, found {key}{meant}. Correct the id."
