"""Citations as written, of documents that are not available: which law, and which number of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

import polars as pl

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.mention import Mention
from rulerank.graph.citations.names import Names
from rulerank.graph.citations.patterns import Patterns, either
from rulerank.graph.citations.reader import Reader
from rulerank.graph.citations.spans import Visible
from rulerank.graph.citations.style import Style
from rulerank.tables import DOCUMENTS
from rulerank.text import visible

Written = tuple[str, str]
"""The document, by its name from `Laws.key`, and the cited section; empty for the whole document."""

_NEVER = r"(?!)"
_BETWEEN = 1
"""How many characters may come between a name and its code: 「화재안전기술기준」(NFTC 102)."""


class Laws:
    """The documents that texts name: those in the quotation marks for names, and short codes.

    Parameters
    ----------
    grammar : Grammar
        How documents are named.
    texts : iterable of str
        Texts that name them.

    """

    def __init__(self, grammar: Grammar, texts: Iterable[str]) -> None:
        self._code = re.compile(grammar.names.code or _NEVER)
        self._named = re.compile(
            rf"{grammar.names.quoted or _NEVER}|(?P<code>{grammar.names.code or _NEVER})"
        )
        self._under = grammar.names.under
        self._codes: dict[str, str] = {}
        said = sorted({name for text in texts for _, _, name in self._find(visible(text))})
        for name in said:
            if code := self._code.search(name):
                self._codes.setdefault(_bare(name[: code.start()]), _bare(code[0]))
        forms: dict[str, set[str]] = {}
        for name in said:
            forms.setdefault(self.key(name), set()).add(name)
            for word in self._under if not self._code.search(name) else ():
                forms.setdefault(self.key(f"{name} {word}"), set()).add(f"{name} {word}")
        rows = [(key, min(names), sorted(names)) for key, names in sorted(forms.items())]
        self._keys = frozenset(forms)
        self.documents = pl.DataFrame(rows, schema=dict(DOCUMENTS.columns), orient="row")

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def key(self, name: str) -> str:
        """Return the name used here for a document: its short code if a text gives it, else its bare name."""
        shown = visible(name)
        if code := self._code.search(shown):
            return _bare(code[0])
        bare = _bare(re.sub(r"(?<=.)[(\[][^)\]]*[)\]]?", "", shown))
        return self._codes.get(bare, bare)

    def named(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and key of every name in a visible text."""
        for start, end, name in self._find(text):
            yield start, end, self.key(name)

    def _find(self, text: str) -> Iterator[tuple[int, int, str]]:
        for match in self._named.finditer(text):
            yield match.start(), match.end(), " ".join((match["name"] or match["code"]).split())


def listed_citations(references: Sequence[str], laws: Laws, grammar: Grammar) -> list[Written]:
    """Return the citations in a list, written as in the text that they come from.

    An entry names a document, or with words such as "the same Act" that of the entry before. A section may
    follow right after it. Anything else in the entry is not part of the citation.
    """
    code, same = grammar.names.code or _NEVER, either(grammar.pointing.same)
    numbers = either(
        [*filter(None, [grammar.names.number]), *(each.number for each in grammar.free if each.number)]
    )
    under = either(map(re.escape, grammar.names.under))
    entry = re.compile(
        rf"\s*(?:{grammar.names.quoted or _NEVER}|(?P<code>{code})|(?P<same>{same}))"
        rf"(?:{grammar.names.closing})(?:\(?(?:{code})\s*)?(?P<under>{under})?"
        rf"(?:{grammar.names.closing})(?P<number>{numbers}|{grammar.number})?"
    )
    style = Style(grammar)
    found: list[Written] = []
    last = ""
    for reference in references:
        if not (match := entry.match(visible(reference))):
            found.append((reference, ""))
            continue
        document = last if match["same"] else laws.key(match["name"] or match["code"])
        last = document
        word = match["under"] or next(
            (each for each in grammar.names.under if (match["same"] or "").endswith(each)), ""
        )
        if word:
            document = laws.key(f"{_without(document, grammar.names.under)} {word}")
        number = style.parse(match["number"] or "")
        found.append((document, ".".join(number[: style.start(number)])))
    return found


def _without(document: str, endings: Sequence[str]) -> str:
    return next((document.removesuffix(each) for each in endings if document.endswith(each)), document)


def _bare(name: str) -> str:
    """Return a name without spaces and punctuation, which are written in several ways."""
    return re.sub(r"[\W_ᆞ]", "", visible(name))


def written_citations(texts: Sequence[str], laws: Laws, grammar: Grammar) -> list[list[Written]]:
    """Return what each text cites, in reading order, including documents that it only names.

    Parameters
    ----------
    texts : sequence of str
        Texts that cite by name.
    laws : Laws
        The documents that they name.
    grammar : Grammar
        How they cite.

    """
    shown = [Visible(text).text for text in texts]
    names = Names(laws.documents, grammar)
    places = [str(place) for place in range(len(shown))]
    names.learn(zip(places, shown, strict=True))
    patterns = Patterns(grammar)
    reader = Reader(patterns, names)
    return [
        list(_cited(text, reader.read(text, place), laws, patterns))
        for place, text in zip(places, shown, strict=True)
    ]


def _cited(text: str, mentions: Sequence[Mention], laws: Laws, patterns: Patterns) -> Iterator[Written]:
    leading = [mention for mention in mentions if mention.documents]
    found = [
        (mention.start, document, ".".join(number[: patterns.style.start(number)]))
        for mention in leading
        for document in mention.documents or ()
        if document in laws
        for ends in mention.numbers
        for number in ends
        if number
    ]
    found += [
        (start, document, "")
        for start, end, document in laws.named(text)
        if not any(mention.start - _BETWEEN <= end and start < mention.end for mention in leading)
    ]
    found.sort(key=itemgetter(0))
    yield from dict.fromkeys((document, number) for _, document, number in found)
