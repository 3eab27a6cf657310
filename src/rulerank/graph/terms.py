"""Defined terms: which passages define them and which use them, found from the corpus's own definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

import polars as pl

from rulerank.tables import EDGES, TERM_NODE
from rulerank.text import normalise, visible

if TYPE_CHECKING:
    from rulerank.graph.citations.defining import Defining
    from rulerank.graph.citations.grammar import Grammar

_TOKEN = re.compile(r"[^\W_]+")
_QUOTED = r"[\"“](?P<term>[^\"“”\n]{2,80})[\"”]"
_ANOTHER = r"[\"“][^\"“”\n]{1,80}[\"”]"
_LABEL = r"[ \t]*(?:\(?\w{1,4}\)\s*)?"
_ROW = re.compile(r"(?m)^(?P<term>[^\W_][^\t\n]{1,80})\t(?=[^\t\n]+$)")
_ENUMERATOR = re.compile(r"\(?\w{1,4}[).]$")


@dataclass
class Term:
    """A defined term, as its first definition writes it."""

    form: str
    prefixes: tuple[str, ...]
    """How each token must begin to be the term and not the ordinary word: `("P",)` for "Person"."""
    local: bool
    """Whether its definition binds only in its own document, like that of an everyday word."""
    definers: dict[int, str] = field(default_factory=dict)
    """Row of each passage that defines it, with the matched text."""

    @property
    def node(self) -> str:
        """Return the graph's name of the term."""
        return f"{TERM_NODE}{normalise(self.form)}"


Terms = dict[tuple[str, ...], Term]


def defined_terms(passages: pl.DataFrame, grammar: Grammar) -> Terms:
    """Return the terms that the passages define, by their tokens in the singular.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    grammar : Grammar
        How the corpus defines terms.

    Returns
    -------
    dict
        The terms, in the order of their first definitions.

    """
    rules = grammar.terms
    reader, key = _Definitions(rules), Keys(rules)
    terms: Terms = {}
    for row, text in enumerate(map(visible, passages["text"])):
        for form, evidence in reader.read(text):
            tokens = _TOKEN.findall(form)
            if not 1 <= len(tokens) <= 10 or len(form) < 2 or tokens[0].lower() in rules.never:
                continue
            prefixes = tuple(_required(token, capitals=rules.capitals) for token in tokens)
            local = not any(prefixes) and (len(prefixes) == 1 or not rules.capitals)
            term = Term(form, prefixes, local)
            terms.setdefault(key(tokens), term).definers.setdefault(row, evidence)
    return terms


def term_edges(
    passages: pl.DataFrame, terms: Terms, grammar: Grammar, max_share: float
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the DEFINES and the USES_TERM edges, passage -> `term:<normalised term>`.

    At each place of a text the longest term counts. A term written with capitals is used where the capitals
    are. A single word without any is used only in the documents that define it, and so is every term of a
    grammar whose terms are used without capitals. A passage that defines a term does not also use it. A term
    used by more than `max_share` of the passages gets no USES_TERM edges.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    terms : dict
        The result of `defined_terms` for the same passages and the same grammar.
    grammar : Grammar
        How the corpus defines terms.
    max_share : float
        In (0, 1].

    Returns
    -------
    tuple of polars.DataFrame
        Two edges tables, in the order of the passages; the evidence is the first match in the text.

    """
    identifiers = passages["passage_id"].to_list()
    defines = [
        (row, identifiers[row], term.node, "DEFINES", evidence)
        for term in terms.values()
        for row, evidence in term.definers.items()
    ]
    uses = [
        (row, identifiers[row], term.node, "USES_TERM", evidence)
        for row, term, evidence in _uses(passages, terms, Keys(grammar.terms))
        if row not in term.definers
    ]
    schema = {"row": pl.Int64(), **EDGES.columns}
    key = list(EDGES.key)
    defined, used = (
        pl.DataFrame(edges, schema=schema, orient="row").unique(key, keep="first", maintain_order=True)
        for edges in (defines, uses)
    )
    most = max_share * passages.height
    rare = used.filter(pl.len().over("target_id") <= most)
    return defined.sort("row", maintain_order=True).drop("row"), rare.drop("row")


class _Definitions:
    """Reads definitions that use the words of a grammar."""

    def __init__(self, rules: Defining) -> None:
        joined = rf"(?:,?\s*(?:{rules.joiner})?\s*{_ANOTHER}){{0,4}}"
        patterns = list(rules.other)
        if rules.verbs:
            # "Relevant Person" means ...; "A" or "B", in relation to a Fund, has the meaning ...
            patterns.append(rf"{_QUOTED}(?={joined}[^\"“”.\n]{{0,60}}?\b(?:{rules.verbs}))")
        if rules.verbs and rules.unquoted:
            # Relevant Person means ... and its form in a table, with a tab in between
            patterns.append(
                rf"(?m)^{_LABEL}(?:{rules.lead})?(?P<term>{rules.unquoted})\s*?"
                rf"(?:\t[^\t.\n]{{0,60}}?|,[^.\n]{{0,60}}?, | )\b(?:{rules.verbs})"
            )
        if rules.bracketed:
            # Abu Dhabi Global Market ("ADGM"); a report (the "Scheme Report")
            patterns.append(rf"\((?:{rules.bracketed})*[\"“](?P<term>[A-Z0-9][^\"“”\n]{{1,60}})[\"”]\)")
        self._patterns = [re.compile(pattern) for pattern in patterns]
        end = rf"(?!{rules.table_end})" if rules.table_end else ""
        heading = rf"(?im)^{rules.table}[ \t]*\n(?P<rows>(?:{end}.+\n|\n)*)"
        self._table = re.compile(heading if rules.table else r"(?!)")

    def read(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield each term that `text` defines, with the words that define it."""
        for pattern in self._patterns:
            for match in pattern.finditer(text):
                yield match["term"].strip(" ,’'"), " ".join(match[0].split())
        for table in self._table.finditer(text):
            for match in _ROW.finditer(table["rows"]):
                if not _ENUMERATOR.fullmatch(match["term"].strip()):
                    yield match["term"].strip(), match["term"].strip()


class Keys:
    """Tokens in lower case and without endings, so "Relevant Persons" match "Relevant Person"."""

    def __init__(self, rules: Defining) -> None:
        self._rules = rules
        self._bare = lru_cache(maxsize=1 << 17)(self._without_ending)

    def phrase(self, words: str) -> str:
        """Return the words of a phrase in their basic form, separated by single spaces."""
        return " ".join(self(_TOKEN.findall(words)))

    def __call__(self, tokens: list[str]) -> tuple[str, ...]:
        """Return the tokens in their basic form."""
        return tuple(map(self._bare, tokens))

    def _without_ending(self, token: str) -> str:
        word = token.lower()
        if len(word) < self._rules.shortest or word.endswith(self._rules.kept_endings):
            return word
        for ending, instead in self._rules.endings.items():
            if word.endswith(ending):
                return word.removesuffix(ending) + instead
        return word


def _uses(passages: pl.DataFrame, terms: Terms, key_of: Keys) -> Iterator[tuple[int, Term, str]]:
    """Yield the row, the term and its written form for every use in a text, in reading order."""
    documents = passages["document_id"].to_list()
    homes = {key: {documents[row] for row in term.definers} for key, term in terms.items() if term.local}
    longest: dict[str, int] = {}
    for key in terms:
        longest[key[0]] = max(longest.get(key[0], 0), len(key))
    for row, text in enumerate(map(visible, passages["text"])):
        tokens = _TOKEN.findall(text)
        keys = key_of(tokens)
        end = 0
        for place in [place for place, word in enumerate(keys) if word in longest]:
            if place < end:
                continue
            key = _match(terms, tokens, keys, place, longest[keys[place]])
            if key and (key not in homes or documents[row] in homes[key]):
                yield row, terms[key], " ".join(tokens[place : place + len(key)])
            end = place + len(key)


def _match(
    terms: Terms, tokens: list[str], keys: tuple[str, ...], place: int, longest: int
) -> tuple[str, ...]:
    """Return the longest term at `place`, empty if there is none."""
    for length in range(min(longest, len(keys) - place), 0, -1):
        key = keys[place : place + length]
        term = terms.get(key)
        if term and all(map(str.startswith, tokens[place : place + length], term.prefixes)):
            return key
    return ()


def _required(token: str, *, capitals: bool) -> str:
    if len(token) > 1 and token.isupper():
        return token
    return token[0] if capitals and token[0].isupper() else ""
