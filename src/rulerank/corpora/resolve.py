"""Find the passage that a question means."""

from __future__ import annotations

from collections import defaultdict

import polars as pl

from rulerank.text import normalise


class PassageIndex:
    """The passages of a corpus by id, and by document and section."""

    def __init__(self, passages: pl.DataFrame) -> None:
        self._ids = set(passages["passage_id"])
        self._sections: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        columns = passages.select("passage_id", "document_id", "section", "text")
        for passage_id, document_id, section, text in columns.iter_rows():
            self._sections[document_id, section].append((passage_id, text))

    def find(self, passage_id: str | None, document_id: str, section: str, text: str) -> str | None:
        """Return the id of the passage meant, or None.

        A known id decides. Without an id, the only passage of that document and section is meant, whatever
        its wording. If several share the section, or the corpus does not have the given id, the text decides:
        the first passage there with the same normalised text.
        """
        if passage_id in self._ids:
            return passage_id
        there = self._sections.get((document_id, section), [])
        if len(there) == 1 and not passage_id:
            return there[0][0]
        wanted = normalise(text)
        return next((found for found, words in there if normalise(words) == wanted), None)
