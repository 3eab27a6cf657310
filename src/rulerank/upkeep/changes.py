"""Changes to the passages of a corpus, and the corpus after them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from rulerank.corpora.corpus import name_documents
from rulerank.tables import DOCUMENTS, PASSAGES, is_blank
from rulerank.upkeep.build import Rulebook
from rulerank.upkeep.lines import LAST
from rulerank.upkeep.references import references_after

_ABSENT = {
    "section": "",
    "title": "",
    "effective_from": None,
    "scope": None,
}
"""Default values of an added passage."""


@dataclass(frozen=True)
class Changes:
    """What happens to the passages and documents of a corpus, each named at most once.

    Parameters
    ----------
    withdrawn : frozenset of str
        Ids of the passages to remove.
    amended, added : mapping of str to mapping
        By id, the given columns.
    cites : mapping of str to sequence of str, optional
        By id of an amended or added passage, the passages that it cites from now on, if that is given.
    names : mapping of str to sequence of str, optional
        By id of a document, its names from now on, if they are given.

    """

    withdrawn: frozenset[str]
    amended: Mapping[str, Mapping[str, Any]]
    added: Mapping[str, Mapping[str, Any]]
    cites: Mapping[str, Sequence[str]] = field(default_factory=dict)
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def empty(self) -> bool:
        """Whether everything stays as it is."""
        return not any(self.counts.values())

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of added, amended and withdrawn passages, and of named documents."""
        return {
            "added": len(self.added),
            "amended": len(self.amended),
            "withdrawn": len(self.withdrawn),
            "named": len(self.names),
        }

    def applied(self, book: Rulebook) -> Rulebook:
        """Return the corpus after the changes.

        Amended passages keep their place in the table; added passages come last. A column that an amendment
        does not name keeps its value. An added passage without a position is last in its document, and one
        without a tier has the tier of its document. Blank text makes a heading. A document without passages
        is removed, but its names are kept, should it come back. What a withdrawn passage cites goes with it.
        If a change states what a passage cites, that is its part of the curated cross-references.
        """
        rows = book.passages.with_row_index("row").filter(~pl.col("passage_id").is_in(list(self.withdrawn)))
        named = pl.col("passage_id").is_in(list(self.amended))
        amended = [
            after_amendment(row, self.amended[row["passage_id"]])
            for row in rows.filter(named).iter_rows(named=True)
        ]
        standing = pl.concat([rows.filter(~named), pl.DataFrame(amended, schema=rows.schema)])
        standing = standing.sort("row").drop("row")
        added = pl.DataFrame(list(self._placed(standing)), schema=standing.schema)
        passages = PASSAGES.check(pl.concat([standing, added]), "changes")
        references = references_after(book.references, passages["passage_id"], self.withdrawn, self.cites)
        names = {**book.known_names, **self.names}
        return Rulebook(_documents(passages, names), passages, references, names)

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


def after_amendment(row: Mapping[str, Any], columns: Mapping[str, Any]) -> dict[str, Any]:
    """Return a passage after its amendment; a passage without text is a heading."""
    changed = {**row, **columns}
    if is_blank(changed["text"]):
        return {**changed, "kind": "heading"}
    return {**changed, "kind": "text"} if is_blank(row["text"]) and "kind" not in columns else changed


def _documents(passages: pl.DataFrame, names: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Return the documents of the passages, in their order, as a reader does."""
    document_ids = passages["document_id"].unique(maintain_order=True).to_list()
    return DOCUMENTS.check(name_documents(document_ids, names), "changes")
