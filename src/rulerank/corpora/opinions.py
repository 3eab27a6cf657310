"""Conversion of published court opinions and those that overruled them into documents and questions."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from rulerank.corpora.authority import write_authority
from rulerank.corpora.voided import VoidedPair, documents_of, read_pairs

PAIRS = "legal_scotus_expanded_pairs.json"


class _Pair(BaseModel):
    id: str
    case_slug: str
    query: str
    original_text: str
    overruling_text: str


def convert_opinions(folder: Path, to: Path) -> None:
    """Write the pairs of `folder` in the generic format: each opinion and the one that overruled it.

    The scope is the overruled case. An opinion that two others overruled occurs twice, once for each pair.

    Raises
    ------
    InputError
        The file is missing or malformed, or holds no pair.

    """
    records = read_pairs(folder / PAIRS, _Pair)
    pairs = [
        VoidedPair(
            id=record.id,
            texts={"opinion": record.original_text, "overruling": record.overruling_text},
            scope={"case": record.case_slug.replace("_", " ")},
        )
        for record in records
    ]
    queries = [pair.question(record.query) for pair, record in zip(pairs, records, strict=True)]
    write_authority(to, documents_of(pairs), queries)
