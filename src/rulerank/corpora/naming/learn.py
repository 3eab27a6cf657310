"""The names and tiers of the documents of a corpus, from their texts only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from rulerank.corpora.kinds import tier_of
from rulerank.corpora.naming.cited import Cited, cited_documents
from rulerank.corpora.naming.match import Document, match
from rulerank.corpora.naming.own import OPENING, kind_of_document, own_names
from rulerank.corpora.naming.words import is_code, key_of
from rulerank.text import visible

_TWICE = 2
"""How often a name must occur beside a short code to count: a single occurrence may be a slip of the pen."""


def learn_names(passages: pl.DataFrame) -> dict[str, list[str]]:
    """Return the names of each document, by its id: its own names for itself and those that others use.

    A name goes to at most one document, and only if the evidence is clear (`match`). A document that no text
    names has none.

    Parameters
    ----------
    passages : polars.DataFrame
        document_id, section and text of every passage, in reading order.

    """
    documents: dict[str, Document] = {}
    for (document_id,), part in passages.group_by("document_id", maintain_order=True):
        sections, texts = part["section"].to_list(), [visible(text) for text in part["text"]]
        documents[str(document_id)] = Document(own_names(sections, texts), sections, texts)
    cited = cited_documents(text for document in documents.values() for text in document.texts)
    matched = match(list(documents.values()), [one for one in cited if one.kind])
    return {
        document_id: _names(document, matched.get(place))
        for place, (document_id, document) in enumerate(documents.items())
    }


def tiers_of(passages: pl.DataFrame, names: Mapping[str, Sequence[str]]) -> dict[str, int | None]:
    """Return the tier of each document: the one its names state, or else the one its beginning states.

    Parameters
    ----------
    passages : polars.DataFrame
        document_id, section and text of every passage, in reading order.
    names : mapping of str to sequence of str
        The names of the documents, by their id.

    """
    tiers = {}
    for (document_id,), part in passages.group_by("document_id", maintain_order=True):
        tier = tier_of(names.get(str(document_id), ()))
        if tier is None:
            kind = kind_of_document([visible(text) for text in part["text"][:OPENING]])
            tier = tier_of([kind]) if kind else None
        tiers[str(document_id)] = tier
    return tiers


def _names(document: Document, cited: Cited | None) -> list[str]:
    """Return the names that a document states, then those that the texts call it, the most frequent first.

    If one name says what the document is ("Market Rules"), another that does not ("Market Abuse") is more
    likely a heading.
    """
    names = [name for name in document.own.titles if key_of(name).words]
    if cited is not None:
        ordered = [name for name, _ in cited.names.most_common()]
        titled = any(key_of(name).kind and not is_code(name.split()[0]) for name in ordered)
        often = [
            name
            for name in ordered
            if is_code(name) or (cited.names[name] >= _TWICE and (key_of(name).kind or not titled))
        ]
        names += often or ordered[:1]
    return list(dict.fromkeys(names))
