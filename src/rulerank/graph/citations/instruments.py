"""Texts that end documents as a whole: "The Pilot Rules 2015 are revoked", "these Rules expire on 1 May"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import islice, pairwise

import polars as pl

from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.patterns import either
from rulerank.graph.citations.spans import quoted
from rulerank.text import visible

_LIST = re.compile(r",? and (?:the )?|, (?:the )?")
_ITEMS = re.compile(r"[;\n]|\s(?=\(\w{1,4}\)\s)")
"""Between two items."""
_ITEM = r"(?:and\s+)?(?:\(\w{{1,4}}\)\s+)?(?P<name>.*?)\s*(?:\([^()]*\))?{}(?:\s*,?\s*\band)?[.,]?"
"""An item: "(a) the Pilot Rules 2015 (S.I. 2015/7), and"."""
_OUTSIDE = re.compile(
    r"(?:[Tt]he )?[A-Z][\w’'-]{1,40}(?:(?! (?:by|in|of|to) the ) (?:and|by|for|in|of|on|the|to"
    r"|\(?[A-Z][\w’'-]{1,40}\)?)){1,20}"
    r" (?:19|20)\d\d"
)
"""A title with its year that the corpus may lack."""
_LONG = 1_000
"""The longest item, which may list several names."""
_LAST = re.compile(r"\.(?=\s+[A-Z(]|\s*\Z)")
"""What ends a list."""
_LONGEST = 100
"""The most items that are passages of their own."""


class Instruments:
    """Finds the documents that a text takes out of force.

    A document is known by its whole title or one of its other names, or by its number among all of its kind
    ("Regulation (EU) 2019/100"), if no other document has it: a wrong one would put every rule in it out of
    force.

    Parameters
    ----------
    documents : polars.DataFrame
        The documents table.
    grammar : Grammar
        How its texts revoke documents.

    """

    def __init__(self, documents: pl.DataFrame, grammar: Grammar) -> None:
        said = grammar.revocations
        excepting = grammar.excepting.clause
        self._excepting = re.compile(excepting or "(?!)")
        self._ended = re.compile(
            rf"{said.name or '(?!)(?P<name>)'}{excepting}\s(?:{either(said.ends)}){excepting}"
            rf"(?!{said.unless or '(?!)'})"
        )
        self._item, self._excepted_item = (re.compile(_ITEM.format(each)) for each in ("", excepting))
        self._unless = re.compile(said.unless or "(?!)")
        self._leads = re.compile(said.leads or "(?!)")
        begun = rf"\s(?:{said.begun})" if said.begun else ""
        self._own = re.compile(rf"(?:{either(grammar.pointing.own)})(?:{begun})?")
        known_by = re.compile(said.known_by or "(?!)")
        self._makers = re.compile(rf"(?:{grammar.names.makers})\Z")
        called: dict[str, set[str]] = {}
        for document, title, aliases in documents.select("document_id", "title", "aliases").iter_rows():
            numbered = filter(None, map(known_by.search, (title, *aliases)))
            for name in (title, *aliases, *(each["name"] for each in numbered)):
                called.setdefault(_plain(name), set()).add(document)
        self._called = {name: next(iter(owners)) for name, owners in called.items() if len(owners) == 1}

    def ended_documents(
        self, text: str, document: str, following: Iterable[str] = ()
    ) -> Iterator[tuple[str, int, int]]:
        """Yield each document that the text of a document takes out of force, with the span of the words.

        A document ends itself only in words such as "these Rules". Quoted words are another document's.

        Parameters
        ----------
        text : str
            The text.
        document : str
            The document that it is in.
        following : iterable of str, optional (default=())
            The texts after it in the document, which may be the items of a list that it begins.

        """
        for lead, then in pairwise([*self._leads.finditer(text), None]):
            if lead and not quoted(text, lead.end()):
                listed = text[lead.end() : then.start() if then else None]
                for found, end in self._in_list(listed, following):
                    if found != document:
                        yield found, lead.start(), lead.end() + end
        for match in self._ended.finditer(text):
            if quoted(text, match.start("name")):
                continue
            if self._own.fullmatch(match["name"]):
                yield document, match.start("name"), match.end()
            for found in self._listed(self._excepting.sub("", match["name"])):
                if found != document:
                    yield found, match.start("name"), match.end()

    def _in_list(self, text: str, following: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield the documents of the list that begins a text, each with the end of its item.

        If the text is empty, the items are the texts that follow, and their ends are not in it: 0. An item
        that is not a name alone ends no document. Only in the text itself it may have an exception.
        """
        inside = bool(text.strip())
        if not inside:
            text = "\n".join(_up_to_last(following))
        last = _LAST.search(text)
        if self._unless.match(text, last.end() if last else len(text)):
            return
        item = self._excepted_item if inside else self._item
        for start, end in _between(_ITEMS, text[: last.start()] if last else text):
            if named := item.fullmatch(text[start:end].strip()):
                yield from ((found, end if inside else 0) for found in self._listed(named["name"]))

    def _listed(self, names: str) -> list[str]:
        """Return the documents of a list of names; none if a part of it is no name of one, or it is long."""
        names = self._makers.sub("", names)
        if len(names) > _LONG:
            return []
        if whole := self._called.get(_plain(names)):
            return [whole]
        for join in _LIST.finditer(names):
            name = names[: join.start()]
            first = self._called.get(_plain(name))
            known = first or _OUTSIDE.fullmatch(name)
            others = self._listed(names[join.end() :])
            if known and (others or (first and _OUTSIDE.fullmatch(names[join.end() :]))):
                return [first, *others] if first else others
        return []


def spared_targets(
    superseding: Iterable[tuple[str, str]], ended: Mapping[str, Set[str]]
) -> Iterator[tuple[str, str]]:
    """Yield passages that end documents, each with one it spares: one that says when or whether they end.

    Two passages that end each other spare each other.

    Parameters
    ----------
    superseding : iterable of (str, str)
        The passages that supersede others, and these.
    ended : mapping of str to set of str
        The passages that a passage supersedes only because it ends their document.

    """
    above: dict[str, list[str]] = {}
    for source, target in superseding:
        if target not in ended.get(source, ()):
            above.setdefault(target, []).append(source)
    for ending, targets in ended.items():
        spared = {each for each in targets if ending in ended.get(each, ())}
        waiting = [ending]
        while waiting:
            found = set(above.get(waiting.pop(), ())) - spared
            spared |= found
            waiting += found
        for each in spared & targets:
            yield ending, each


def _between(separator: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts of a text are that a pattern separates."""
    found = [match.span() for match in separator.finditer(text)]
    yield from zip([0, *(end for _, end in found)], [*(start for start, _ in found), len(text)], strict=True)


def _up_to_last(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts up to the first that ends with a full stop."""
    for text in islice(texts, _LONGEST):
        yield text
        if text.rstrip().endswith("."):
            return


def _plain(name: str) -> str:
    return " ".join(visible(name).split()).casefold().removeprefix("the ")
