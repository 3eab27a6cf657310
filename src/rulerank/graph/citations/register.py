"""The register of names: which documents each name means, everywhere or in the texts of one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

import polars as pl

from rulerank.graph.citations.grammar import Naming
from rulerank.text import visible

WORD = re.compile("[^\\W_\u119e]+|&")
"""A word of a name; U+119E is what form NFKC makes of the dot between the words of a Korean title."""

_FURTHER = 2
"""How many words, besides the name's own, a text may have in or after a name."""

Documents = tuple[str, ...]
"""The documents that a name may mean; several if they share it."""


class Register:
    """The names of the documents, looked up word by word, so there may be any number of them.

    A single word keeps its case (`FUNDS` is a rulebook, "funds" are not). In longer names, case is ignored.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.
    naming : Naming
        How documents are named.

    """

    def __init__(self, documents: pl.DataFrame, naming: Naming) -> None:
        self._naming = naming
        self._code = re.compile(naming.code or r"(?!)")
        self._derived = [re.compile(pattern) for pattern in naming.derived]
        self._everywhere: dict[str, Documents] = {}
        self._local: dict[str, dict[str, Documents]] = {}
        self._titles: dict[str, list[tuple[frozenset[str], str]]] = {}
        self._called: dict[str, list[str]] = {}
        self.first: dict[str, int] = {}
        """How many words a name can take onwards from its first word, by that word in lower case."""
        self.last: dict[str, int] = {}
        """How many words a name can take up to its last word, by that word."""
        for document, title, aliases in documents.select("document_id", "title", "aliases").iter_rows():
            for name in sorted({found for given in (title, *aliases) for found in self._forms(given)}):
                self._add(self._everywhere, name, document)
                self._called.setdefault(document, []).append(name)
                words = _stems(name)
                if len(words) > 1:
                    self._titles.setdefault(words[0], []).append((frozenset(words), document))

    def define(self, defined: Iterable[tuple[str, str, Documents]]) -> None:
        """Add names that texts define.

        A short code holds everywhere unless a document has that name. Any other name holds only in its own
        document.

        Parameters
        ----------
        defined : iterable of (str, str, documents)
            The document that contains the text, the name, and the documents it means.

        """
        given = frozenset(self._everywhere)
        for document, name, owners in sorted(defined):
            if self._key(_words(name)) in given:
                continue
            code = self._code.fullmatch(name)
            for owner in owners:
                self._add(self._everywhere if code else self._local.setdefault(document, {}), name, owner)

    def documents_meant(self, words: Sequence[str], document: str) -> Documents:
        """Return the documents that words mean in the text of a document; a suffix may follow one word."""
        found = self._look_up(words, document)
        if not found and len(words) == 2 and words[1] in self._naming.suffixes:
            found = self._look_up(words[:1], document)
        return found

    def under(self, documents: Documents, word: str) -> Documents:
        """Return the documents named like one of these with `word` after it, such as the decree of a law."""
        found = (
            self._everywhere.get(self._key([*self._above(name), word]), ())
            for document in documents
            for name in self._called[document]
        )
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def shortened(self, title: str) -> Documents:
        """Return the one document whose title starts with the same word and has all others of `title`."""
        words = _stems(title)
        kept = frozenset(word for word in words if word not in self._naming.small)
        fitting = {document for all_words, document in self._titles.get(words[0], ()) if kept <= all_words}
        return tuple(fitting) if len(fitting) == 1 and len(kept) > 1 else ()

    def _above(self, name: str) -> list[str]:
        words = _words(name)
        return words[:-1] if words[-1] in self._naming.under else words

    def _look_up(self, words: Sequence[str], document: str) -> Documents:
        key = self._key(words)
        return self._local.get(document, {}).get(key) or self._everywhere.get(key, ())

    def _forms(self, name: str) -> set[str]:
        """Return a name and all names derived from it."""
        forms = {" ".join(name.split())}
        new = forms
        while new:
            new = {
                match["name"] for form in new for pattern in self._derived if (match := pattern.search(form))
            } - forms
            forms = forms | new
        return {form for form in forms if len(form) > 1 and WORD.search(form)}

    def _add(self, names: dict[str, Documents], name: str, document: str) -> None:
        words = _words(name)
        if not words or not (key := self._key(words)):
            return
        kept = self._kept(words)
        for ends, word in ((self.first, kept[0]), (self.last, kept[-1])):
            # Words left out of the name may occur in the text, and a suffix may follow.
            ends[word.lower()] = max(ends.get(word.lower(), 0), len(words) + _FURTHER)
        for suffix in self._naming.suffixes:
            self.last.setdefault(suffix.lower(), _FURTHER)
        if document not in names.get(key, ()):
            names[key] = (*names.get(key, ()), document)

    def _key(self, words: Sequence[str]) -> str:
        kept = self._kept(words)
        return kept[0] if len(kept) == 1 else " ".join(kept).lower()

    def _kept(self, words: Sequence[str]) -> list[str]:
        return [word for word in words if word.lower() not in self._naming.skipped]


def _words(name: str) -> list[str]:
    return [match[0] for match in WORD.finditer(visible(name))]


def _stems(title: str) -> list[str]:
    """Return the words in lower case and, roughly, in the singular."""
    return [word.lower().removesuffix("s") for word in _words(title)]
