"""What documents are called in the text: by their names, and as the text itself defines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain, islice

import polars as pl

from rulerank.graph.citations.grammar import Grammar

_TOKEN = re.compile(r"[^\W_]+|&")
_BREAK = re.compile(r"[.;:\n(]")
_OPENING = re.compile(r"[\"“‘'「『]{0,4}")
_LAST = re.compile(r"(?:[^\W_]+|&)\Z")
_FURTHER = 2
_REACH = 160
"""Characters of a text that a name may take."""
_CLOSING, _WORD = 24, 40
"""Characters that what closes a name may take, and a word."""

Documents = tuple[str, ...]
"""The documents that a name may mean; several where they share it."""
Name = tuple[int, int, Documents]
"""Start and end of a name in the text, and whose it is."""


class Names:
    """The names of the documents, looked up word by word, so that there may be any number of them.

    A single word keeps its case (`FUNDS` is a rulebook, "funds" are not); of longer ones the words count.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.
    grammar : Grammar
        How documents are named.

    """

    def __init__(self, documents: pl.DataFrame, grammar: Grammar) -> None:
        naming = grammar.names
        self._grammar = grammar
        self._code = re.compile(naming.code or r"(?!)")
        self._closing = re.compile(rf"(?:{naming.closing})\Z")
        self._title = re.compile(naming.title or r"(?!)")
        self._longer = re.compile(naming.longer or r"(?!)")
        self._derived = [re.compile(pattern) for pattern in naming.derived]
        self._everywhere: dict[str, Documents] = {}
        self._local: dict[str, dict[str, Documents]] = {}
        self._titles: dict[str, list[tuple[frozenset[str], str]]] = {}
        self._called: dict[str, list[str]] = {}
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}
        for document, title, aliases in documents.select("document_id", "title", "aliases").iter_rows():
            for name in sorted({found for given in (title, *aliases) for found in self._forms(given)}):
                self._add(self._everywhere, name, document)
                self._called.setdefault(document, []).append(name)
                words = _stems(name)
                if len(words) > 1:
                    self._titles.setdefault(words[0], []).append((frozenset(words), document))

    def learn(self, texts: Iterable[tuple[str, str]]) -> None:
        """Take up the names that the texts define: `the Fire Rules ("FIR")`, `"FIR" means the Fire Rules`.

        A short code holds everywhere unless a document is called so; any other name in its own document.

        Parameters
        ----------
        texts : iterable of (str, str)
            Document and visible text of each passage.

        """
        after = [re.compile(pattern) for pattern in self._grammar.names.defined_after]
        before = [re.compile(pattern) for pattern in self._grammar.names.defined_before]
        learnt: set[tuple[str, str, Documents]] = set()
        for document, text in texts:
            found = [
                (match, self.ending_at(text, match.start(), document))
                for p in after
                for match in p.finditer(text)
            ]
            found += [
                (match, self.starting_at(text, match.end(), document))
                for p in before
                for match in p.finditer(text)
            ]
            learnt.update((document, match["short"].strip(), named[2]) for match, named in found if named)
        given = frozenset(self._everywhere)
        for document, short, owners in sorted(learnt):
            if self._key(_words(short)) in given:
                continue
            code = self._code.fullmatch(short)
            for owner in owners:
                self._add(self._everywhere if code else self._local.setdefault(document, {}), short, owner)

    def ending_at(self, text: str, end: int, document: str) -> Name | None:
        """Return the longest name that ends right before `end`."""
        closing = self._closing.search(text, max(0, end - _CLOSING), end)
        cut = closing.start() if closing else end
        last = _LAST.search(text, max(0, cut - _WORD), cut)
        if not last:
            return None
        found = self._ending(text, cut, last[0], document)
        if found or last[0] not in self._grammar.names.under:
            return found
        above = self.ending_at(text, last.start(), document)
        below = self.under(above[2], last[0]) if above else ()
        return (above[0], cut, below) if above and below else None

    def under(self, documents: Documents, word: str) -> Documents:
        """Return what is called as one of the documents with `word` after it: the decree of a law."""
        found = (
            self._everywhere.get(self._key([*self._above(name), word]), ())
            for document in documents
            for name in self._called[document]
        )
        return tuple(dict.fromkeys(chain.from_iterable(found)))

    def _above(self, name: str) -> list[str]:
        words = _words(name)
        return words[:-1] if words[-1] in self._grammar.names.under else words

    def _ending(self, text: str, cut: int, word: str, document: str) -> Name | None:
        """Return the longest name whose last word, `word`, ends at `cut`."""
        if not (longest := self._last.get(word.lower())):
            return None
        tokens = list(_TOKEN.finditer(text, max(0, cut - _REACH), cut))
        for first in range(max(0, len(tokens) - longest), len(tokens)):
            if documents := self._whose(text, tokens[first:], document):
                return tokens[first].start(), cut, documents
        return None

    def starting_at(self, text: str, start: int, document: str) -> Name | None:
        """Return the longest name that begins right after `start`."""
        opening = _OPENING.match(text, start)
        begin = opening.end() if opening else start
        first = _TOKEN.match(text, begin)
        if not first or not (longest := self._first.get(first[0].lower())):
            return None
        tokens = list(islice(_TOKEN.finditer(text, begin, begin + _REACH), longest))
        for count in range(len(tokens), 0, -1):
            documents = self._whose(text, tokens[:count], document)
            if documents and not self._longer.match(text, tokens[count - 1].end()):
                return begin, tokens[count - 1].end(), documents
        title = self._title.match(text, begin, begin + _REACH)
        if title and (documents := self._shortened(title[0])):
            return begin, title.end(), documents
        return None

    def mentions(self, text: str, document: str) -> Iterator[Name]:
        """Yield every name in `text`, in reading order."""
        place = 0
        for token in _TOKEN.finditer(text):
            if token[0].lower() in self._first and token.start() >= place:
                named = self.starting_at(text, token.start(), document)
                if named:
                    yield named
                    place = named[1]

    def _whose(self, text: str, tokens: list[re.Match[str]], document: str) -> Documents:
        if not tokens:
            return ()
        words = [token[0] for token in tokens]
        if words[0].lower() in self._grammar.names.skipped or _BREAK.search(
            text, tokens[0].end(), tokens[-1].start()
        ):
            return ()
        found = self._look(words, document)
        if not found and len(words) == 2 and words[1] in self._grammar.names.suffixes:
            found = self._look(words[:1], document)
        return found

    def _look(self, words: list[str], document: str) -> Documents:
        key = self._key(words)
        return self._local.get(document, {}).get(key) or self._everywhere.get(key, ())

    def _shortened(self, title: str) -> Documents:
        words = _stems(title)
        kept = frozenset(word for word in words if word not in self._grammar.names.small)
        fitting = {document for all_words, document in self._titles.get(words[0], ()) if kept <= all_words}
        return tuple(fitting) if len(fitting) == 1 and len(kept) > 1 else ()

    def _forms(self, name: str) -> set[str]:
        """Return a name and all that derives from it."""
        forms = {" ".join(name.split())}
        new = forms
        while new:
            new = {
                match["name"] for form in new for pattern in self._derived if (match := pattern.search(form))
            } - forms
            forms = forms | new
        return {form for form in forms if len(form) > 1 and _TOKEN.search(form)}

    def _add(self, names: dict[str, Documents], name: str, document: str) -> None:
        words = _words(name)
        if not words or not (key := self._key(words)):
            return
        kept = self._kept(words)
        for ends, word in ((self._first, kept[0]), (self._last, kept[-1])):
            # Words left out of the name may occur in the text, and a suffix after them.
            ends[word.lower()] = max(ends.get(word.lower(), 0), len(words) + _FURTHER)
        for suffix in self._grammar.names.suffixes:
            self._last.setdefault(suffix.lower(), _FURTHER)
        if document not in names.get(key, ()):
            names[key] = (*names.get(key, ()), document)

    def _key(self, words: list[str]) -> str:
        kept = self._kept(words)
        return kept[0] if len(kept) == 1 else " ".join(kept).lower()

    def _kept(self, words: list[str]) -> list[str]:
        return [word for word in words if word.lower() not in self._grammar.names.skipped]


class Named:
    """The documents that one text names, read only as far as someone asks.

    Parameters
    ----------
    names : Names
        What they are called.
    text : str
        A visible text.
    document : str
        Whose it is.

    """

    def __init__(self, names: Names, text: str, document: str) -> None:
        self._rest = names.mentions(text, document)
        self._ends: list[int] = []
        self._named: list[Documents] = []

    def before(self, place: int) -> Documents:
        """Return the documents of the last name that ends at or before `place`; empty where none does."""
        while not self._ends or self._ends[-1] <= place:
            following = next(self._rest, None)
            if following is None:
                break
            self._ends.append(following[1])
            self._named.append(following[2])
        count = bisect_right(self._ends, place)
        return self._named[count - 1] if count else ()


def _words(name: str) -> list[str]:
    return [match[0] for match in _TOKEN.finditer(name)]


def _stems(title: str) -> list[str]:
    """Return the words in lower case and, roughly, in the singular."""
    return [word.lower().removesuffix("s") for word in _words(title)]
