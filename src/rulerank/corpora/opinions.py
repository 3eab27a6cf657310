"""Court opinions and what overruled them, as published, to documents and questions."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel

from rulerank.corpora.authority import write_authority
from rulerank.corpora.records import read_list
from rulerank.errors import InputError

PAIRS = "legal_scotus_expanded_pairs.json"


class _Pair(BaseModel):
    id: str
    case_slug: str
    query: str
    original_text: str
    overruling_text: str


def convert_opinions(folder: Path, to: Path) -> None:
    """Write the pairs of `folder` in the generic format: each opinion and the one that overruled it.

    The scope is the overruled case. An opinion that two others overruled is there twice, once for each pair.

    Raises
    ------
    InputError
        The file is missing or malformed, or holds no pair.

    """
    pairs = read_list(folder / PAIRS, _Pair, "id")
    if not pairs:
        raise InputError(folder / PAIRS, "expected a list of pairs, found an empty one. Check the file.")
    documents = [
        {
            "id": f"{pair.id}:{kind}",
            "type": kind,
            "text": text,
            "timestamp": None,
            "scope": {"case": pair.case_slug.replace("_", " ")},
        }
        for pair in pairs
        for kind, text in (("opinion", pair.original_text), ("overruling", pair.overruling_text))
    ]
    queries = [{"id": pair.id, "text": pair.query, "gold": [f"{pair.id}:overruling"]} for pair in pairs]
    write_authority(to, documents, queries)
