"""Changes to the passages of a corpus: read from JSON Lines, checked against the corpus, applied to it."""

from __future__ import annotations

import difflib
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from rulerank.corpora.corpus import name_documents
from rulerank.corpora.records import read_lines
from rulerank.errors import InputError
from rulerank.tables import DOCUMENTS, PASSAGES, is_blank
from rulerank.upkeep.build import Rulebook
from rulerank.upkeep.lines import LAST, ChangeLine
from rulerank.upkeep.references import cited_by, references_after, targets_of

_ABSENT = {
    "section": "",
    "title": "",
    "effective_from": None,
    "scope": None,
}
"""Default values of an added passage."""


@dataclass(frozen=True)
class Changes:
    """What happens to the passages of a corpus, each named at most once.

    Parameters
    ----------
    withdrawn : frozenset of str
        Ids of the passages to remove.
    amended, added : mapping of str to mapping
        By id, the given columns.
    cites : mapping of str to sequence of str, optional
        By id of an amended or added passage, the passages that it cites from now on, if that is given.

    """

    withdrawn: frozenset[str]
    amended: Mapping[str, Mapping[str, Any]]
    added: Mapping[str, Mapping[str, Any]]
    cites: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of added, amended and withdrawn passages."""
        return {
            "added": len(self.added),
            "amended": len(self.amended),
            "withdrawn": len(self.withdrawn),
        }

    def applied(self, book: Rulebook) -> Rulebook:
        """Return the corpus after the changes.

        Amended passages keep their place in the table; added passages come last. A column that an amendment
        does not name keeps its value. An added passage without a position is last in its document, and one
        without a tier has the tier of its document. Blank text makes a heading. A document without passages
        is removed; the title of a new document is its id. What a withdrawn passage cites goes with it. If a
        change states what a passage cites, that is its part of the curated cross-references.
        """
        rows = book.passages.with_row_index("row").filter(~pl.col("passage_id").is_in(list(self.withdrawn)))
        named = pl.col("passage_id").is_in(list(self.amended))
        amended = [
            _amended(row, self.amended[row["passage_id"]]) for row in rows.filter(named).iter_rows(named=True)
        ]
        standing = pl.concat([rows.filter(~named), pl.DataFrame(amended, schema=rows.schema)])
        standing = standing.sort("row").drop("row")
        added = pl.DataFrame(list(self._placed(standing)), schema=standing.schema)
        passages = PASSAGES.check(pl.concat([standing, added]), "changes")
        references = references_after(book.references, passages["passage_id"], self.withdrawn, self.cites)
        return Rulebook(_documents(book.documents, passages), passages, references)

    def _placed(self, standing: pl.DataFrame) -> Iterator[dict[str, Any]]:
        """Yield the added passages, with the values derived from the other passages of their documents."""
        of_document = {
            document: (last, tier)
            for document, last, tier in standing.group_by("document_id")
            .agg(pl.col("position").max(), pl.col("tier").drop_nulls().first())
            .iter_rows()
        }
        for columns in self.added.values():
            last, tier = of_document.get(columns["document_id"], (-1, None))
            position = columns.get("position", min(last + 1, LAST))
            of_document[columns["document_id"]] = max(last, position), tier
            kind = "heading" if is_blank(columns["text"]) else columns.get("kind", "text")
            yield {**_ABSENT, "tier": tier, **columns, "position": position, "kind": kind}


def read_changes(path: Path, passages: pl.DataFrame, references: pl.DataFrame | None = None) -> Changes:
    """Read the changes to a corpus; an amendment that leaves a passage as it is counts as none.

    Parameters
    ----------
    path : Path
        JSON Lines: {"op": "add" | "amend" | "withdraw", "passage_id": ...} and the columns of the passages
        table, of which an added passage needs document_id and text; with "cites", the ids that it cites.
    passages : polars.DataFrame
        The current passages.
    references : polars.DataFrame, optional
        The current curated cross-references.

    Raises
    ------
    InputError
        The file holds no change, or a line cannot be used: it is malformed, adds a passage that exists,
        changes one that does not, or names a passage that an earlier line names.

    """
    known = set(passages["passage_id"])
    lines: dict[str, int] = {}
    columns: dict[str, dict[str, dict[str, Any]]] = {"add": {}, "amend": {}, "withdraw": {}}
    cites: dict[str, list[str]] = {}
    for line, read in read_lines(path, ChangeLine):
        record = read.root
        key = record.passage_id
        earlier = lines.setdefault(key, line)
        if earlier != line:
            raise InputError(
                path,
                f"expected one change of each passage, found {key} also on line {earlier}. Make one of them.",
                line=line,
            )
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
    cited = cited_by(references, cites)
    restated = {key for key, targets in cites.items() if targets != cited.get(key, [])}
    amended = _differing(columns["amend"], passages, restated)
    changed = {*amended, *columns["add"]}
    return Changes(
        frozenset(columns["withdraw"]),
        amended,
        columns["add"],
        {key: targets for key, targets in cites.items() if key in changed},
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
        if key in restated or any(current[key][name] != value for name, value in columns.items())
    }


def _unfitting(op: str, key: str, known: Iterable[str]) -> str:
    if op == "add":
        return f"expected a new passage to add, found {key}, which is there. Amend it, or give another id."
    close = difflib.get_close_matches(key, known, n=1)
    meant = f"; the nearest id is {close[0]}" if close else ""
    return f"expected a passage of the corpus to {op}, found {key}{meant}. Correct the id."


def _amended(row: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return a passage after its amendment; a passage without text is a heading."""
    changed = {**row, **columns}
    if is_blank(changed["text"]):
        return {**changed, "kind": "heading"}
    return {**changed, "kind": "text"} if is_blank(row["text"]) and "kind" not in columns else changed


def _documents(documents: pl.DataFrame, passages: pl.DataFrame) -> pl.DataFrame:
    """Return the documents of the passages, new ones last."""
    wanted = passages["document_id"].unique(maintain_order=True)
    new = wanted.filter(~wanted.is_in(documents["document_id"].implode())).to_list()
    kept = documents.filter(pl.col("document_id").is_in(wanted.implode()))
    return DOCUMENTS.check(pl.concat([kept, name_documents(new, {})]), "changes")
