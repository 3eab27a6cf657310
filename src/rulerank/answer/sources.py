"""What an answer is quoted from: the kept passages, none of them without what voids it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulerank.authority.shown import with_superseders
from rulerank.bundle import Bundle


@dataclass(frozen=True)
class Source:
    """A passage that an answer quotes.

    Parameters
    ----------
    passage_id, document, section, text : str
        The passage; `document` is the title of the document it stands in.

    """

    passage_id: str
    document: str
    section: str
    text: str


def sources(bundle: Bundle, passage_ids: Sequence[str]) -> list[Source]:
    """Return the passages of an answer, best first.

    What supersedes a passage and is itself in force stands before it, whether it was ranked or not.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    passage_ids : sequence of str
        The passages that were kept, best first, each once.

    """
    titles = dict(bundle.documents.select("document_id", "title").iter_rows())
    shown = with_superseders(passage_ids, bundle.edges)
    rows = bundle.passages.filter(bundle.passages["passage_id"].is_in(shown))
    found = {row["passage_id"]: row for row in rows.iter_rows(named=True)}
    return [
        Source(each, titles.get(row["document_id"], row["document_id"]), row["section"], row["text"])
        for each, row in ((each, found[each]) for each in shown if each in found)
    ]
