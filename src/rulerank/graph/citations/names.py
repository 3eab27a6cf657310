"""Where a text names documents, by their own names or by names that texts define."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator
from itertools import islice

import polars as pl

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.register import WORD, Documents, Register

_BREAK = re.compile(r"[.;:\n]|\((?![^()\n]{1,60}\) )")
"""What no name goes on after; a word in brackets may be within one: the Companies (Winding Up) Rules."""
_QUOTES = tuple("\"“‘'「『")
_OPENING = re.compile(r"[\"“‘'「『]{0,4}")
_LAST = re.compile(r"(?:[^\W_]+|&)\Z")
_REACH = 160
"""How many characters of a text a name can take."""
_CLOSING, _WORD = 24, 40
"""How many characters can close a name, and how many a word can take."""

Name = tuple[int, int, Documents]
"""Start and end of a name in the text, and the documents it names."""


class Names:
    """Finds the names of documents in a text.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.
    grammar : Grammar
        How documents are named.

    """

    def __init__(self, documents: pl.DataFrame, grammar: Grammar) -> None:
        self._naming = naming = grammar.names
        self.register = Register(documents, naming)
        """The names of the documents."""
        self._documents = documents.select("document_id", "title").rows()
        self._amending = re.compile(naming.amending or "(?!)")
        self._closing = re.compile(rf"(?:{naming.closing})\Z")
        self._title = re.compile(naming.title or r"(?!)")
        self._longer = re.compile(naming.longer or r"(?!)")
        self._makers = re.compile(naming.makers or "(?!)")
        self._quoted = re.compile(rf"(?:{naming.quoted or r'(?!)'})(?:{naming.closing})\Z")

    def learn(self, texts: Iterable[tuple[str, str]]) -> None:
        """Learn the names that the texts define: `the Fire Rules ("FIR")`, `"FIR" means the Fire Rules`.

        A short code holds everywhere unless a document has that name. Any other name holds only in its own
        document.

        Parameters
        ----------
        texts : iterable of (str, str)
            Document and visible text of each passage.

        """
        after = [re.compile(pattern) for pattern in self._naming.defined_after]
        before = [re.compile(pattern) for pattern in self._naming.defined_before]
        learned: set[tuple[str, str, Documents]] = set()
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
            learned.update((document, match["short"].strip(), named[2]) for match, named in found if named)
        said = {(document, name.casefold().removeprefix("the ")) for document, name, _ in learned}
        self.register.define([*learned, *self._principal(said)])

    def _principal(self, said: Container[tuple[str, str]]) -> Iterator[tuple[str, str, Documents]]:
        """Yield what documents call the principal Rules by their titles, unless a text has said it."""
        for document, title in self._documents:
            amending = self._amending.search(title)
            name = f"principal {amending['kind']}" if amending else ""
            if amending and (document, name.casefold()) not in said:
                words = [word[0] for word in WORD.finditer(f"{title[: amending.start()]} {amending['kind']}")]
                owners = self.register.documents_meant(words, document)
                if len(owners) == 1 and owners != (document,):
                    yield document, name, owners

    def ending_at(self, text: str, end: int, document: str) -> Name | None:
        """Return the longest name that ends right before `end`."""
        if quoted := self._quoted.search(text, max(0, end - _REACH), end):
            words = [word[0] for word in WORD.finditer(quoted["name"])]
            if words and (documents := self.register.documents_meant(words, document)):
                return quoted.start(), quoted.end("name"), documents
        closing = self._closing.search(text, max(0, end - _CLOSING), end)
        cut = closing.start() if closing else end
        last = _LAST.search(text, max(0, cut - _WORD), cut)
        if not last:
            return None
        found = self._ending(text, cut, last[0], document)
        if found or last[0] not in self._naming.under:
            return found
        above = self.ending_at(text, last.start(), document)
        below = self.register.under(above[2], last[0]) if above else ()
        return (above[0], cut, below) if above and below else None

    def _ending(self, text: str, cut: int, word: str, document: str) -> Name | None:
        """Return the longest name whose last word, `word`, ends at `cut`."""
        if not (longest := self.register.last.get(word.lower())):
            return None
        tokens = list(WORD.finditer(text, max(0, cut - _REACH), cut))
        for first in range(max(0, len(tokens) - longest), len(tokens)):
            if documents := self._whose(text, tokens[first:], document):
                return tokens[first].start(), cut, documents
        return None

    def starting_at(self, text: str, start: int, document: str) -> Name | None:
        """Return the longest name that begins right after `start`."""
        opening = _OPENING.match(text, start)
        begin = opening.end() if opening else start
        first = WORD.match(text, begin)
        if not first or not (longest := self.register.first.get(first[0].lower())):
            return None
        tokens = _unbroken(text, list(islice(WORD.finditer(text, begin, begin + _REACH), longest)))
        words = [token[0] for token in tokens]
        for count in range(0 if words[0].lower() in self._naming.skipped else len(words), 0, -1):
            if words[count - 1].lower() not in self.register.last:
                continue
            documents = self.register.documents_meant(words[:count], document)
            if documents and not self._longer.match(text, tokens[count - 1].end()):
                makers = self._makers.match(text, tokens[count - 1].end())
                return begin, makers.end() if makers else tokens[count - 1].end(), documents
        title = self._title.match(text, begin, begin + _REACH)
        if title and (documents := self.register.shortened(title[0])):
            return begin, title.end(), documents
        return None

    def mentions(self, text: str, document: str) -> Iterator[Name]:
        """Yield every name in `text`, in reading order."""
        place = 0
        for token in WORD.finditer(text):
            if token[0].lower() in self.register.first and token.start() >= place:
                named = self.starting_at(text, token.start(), document)
                if named and not self._aside(text, named[0]):
                    yield named
                    place = named[1]

    def _aside(self, text: str, start: int) -> bool:
        """Return whether words without quotation marks are in brackets, where names are usually quoted."""
        if not self._naming.quoted or text[start - 1 : start] in _QUOTES:
            return False
        nearest = max(0, start - _REACH)
        return text.rfind("(", nearest, start) > text.rfind(")", nearest, start)

    def _whose(self, text: str, tokens: list[re.Match[str]], document: str) -> Documents:
        if not tokens:
            return ()
        words = [token[0] for token in tokens]
        if words[0].lower() in self._naming.skipped or _BREAK.search(
            text, tokens[0].end(), tokens[-1].start()
        ):
            return ()
        return self.register.documents_meant(words, document)


def _unbroken(text: str, tokens: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the first tokens, up to the first break between two of them."""
    broken = _BREAK.search(text, tokens[0].end(), tokens[-1].start())
    return tokens if broken is None else [token for token in tokens if token.start() < broken.end()]


class Named:
    """The documents that one text names, read only as far as they are needed.

    Parameters
    ----------
    names : Names
        The names of documents.
    text : str
        A visible text.
    document : str
        The document of the text.

    """

    def __init__(self, names: Names, text: str, document: str) -> None:
        self._rest = names.mentions(text, document)
        self._ends: list[int] = []
        self._named: list[Documents] = []

    def before(self, place: int) -> Documents:
        """Return the documents of the last name that ends at or before `place`; empty if there is none."""
        while not self._ends or self._ends[-1] <= place:
            following = next(self._rest, None)
            if following is None:
                break
            self._ends.append(following[1])
            self._named.append(following[2])
        count = bisect_right(self._ends, place)
        return self._named[count - 1] if count else ()
