"""Defined terms: which passages define them and which use them, found from the corpus's own definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import polars as pl

from rulerank.tables import EDGES
from rulerank.text import normalise, visible

_TOKEN = re.compile(r"[^\W_]+")
_VERB = (
    r"(?i:means|shall mean|refers? to|(?:has|have) the (?:same )?meanings?|(?:is|are) defined"
    r"|is to be read as)\b"
)
_QUOTED = r"[\"“](?P<term>[^\"“”\n]{2,80})[\"”]"
_LABEL = r"[ \t]*(?:\(?\w{1,4}\)\s*)?"
_CAPITALISED = r"[A-Z0-9][\w’'&/-]*(?: (?:[A-Z0-9(][\w’'&/)-]*|of|and|in|for|to|a|an|the|on|or|by|with))*"
_DEFINITIONS = tuple(
    re.compile(pattern)
    for pattern in (
        # "Relevant Person" means ...; "A" or "B", in relation to a Fund, has the meaning ...
        rf"{_QUOTED}(?=(?:,?\s*(?:or|and)?\s*[\"“][^\"“”\n]{{1,80}}[\"”]){{0,4}}[^\"“”.\n]{{0,60}}?\b{_VERB})",
        # Relevant Person means ... and its form in a table, with a tab between
        rf"(?m)^{_LABEL}(?:The term |An? )?(?P<term>{_CAPITALISED})\s*?"
        rf"(?:\t[^\t.\n]{{0,60}}?|,[^.\n]{{0,60}}?, | )\b{_VERB}",
        # Abu Dhabi Global Market ("ADGM"); a report (the "Scheme Report")
        r"\((?:the |each,? an? |an? |together,? |collectively,? |hereinafter )*"
        r"[\"“](?P<term>[A-Z0-9][^\"“”\n]{1,60})[\"”]\)",
    )
)
_TABLE = re.compile(
    r"(?im)^(?:defined )?(?:term|word|expression)s?\t(?:definition|meaning)s?[ \t]*\n"
    r"(?P<rows>(?:(?!/Table End).+\n|\n)*)"
)
_ROW = re.compile(r"(?m)^(?P<term>[^\W_][^\t\n]{1,80})\t(?=[^\t\n]+$)")
_ENUMERATOR = re.compile(r"\(?\w{1,4}[).]$")
_NOT_A_TERM = frozenset({"this", "that", "it", "which", "what", "there", "where", "in", "if", "for", "the"})


NODE = "term:"
"""What the graph's name of a term begins with."""


@dataclass
class Term:
    """A defined term, as its first definition writes it."""

    form: str
    prefixes: tuple[str, ...]
    """What each token must begin with to be the term and not the ordinary word: `("P",)` for "Person"."""
    definers: dict[int, str] = field(default_factory=dict)
    """Row of each passage that defines it, with the matched text."""

    @property
    def node(self) -> str:
        """Return the graph's name of the term."""
        return f"{NODE}{normalise(self.form)}"

    @property
    def local(self) -> bool:
        """Return whether it is an everyday word, which a definition binds in its own document alone."""
        return not any(self.prefixes) and len(self.prefixes) == 1


Terms = dict[tuple[str, ...], Term]


def defined_terms(passages: pl.DataFrame) -> Terms:
    """Return the terms that the passages define, by their tokens in the singular.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    Returns
    -------
    dict
        In the order of the first definitions.

    """
    terms: Terms = {}
    for row, text in enumerate(map(visible, passages["text"])):
        for form, evidence in _definitions(text):
            tokens = _TOKEN.findall(form)
            if not 1 <= len(tokens) <= 10 or len(form) < 2 or tokens[0].lower() in _NOT_A_TERM:
                continue
            term = Term(form, tuple(_required(token) for token in tokens))
            terms.setdefault(_key(tokens), term).definers.setdefault(row, evidence)
    return terms


def term_edges(passages: pl.DataFrame, terms: Terms, max_share: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the DEFINES and the USES_TERM edges, passage -> `term:<normalised term>`.

    At each place of a text the longest term counts. A term written with capitals is used where they are;
    a single word without any is used in the documents that define it. A passage that defines a term is not
    also said to use it, and a term used by more than `max_share` of the passages gets no USES_TERM edges.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    terms : dict
        What `defined_terms` returned for the same passages.
    max_share : float
        In (0, 1].

    Returns
    -------
    tuple of polars.DataFrame
        Two edges tables, in the order of the passages; the evidence is the text matched first.

    """
    identifiers = passages["passage_id"].to_list()
    defines = [
        (row, identifiers[row], term.node, "DEFINES", evidence)
        for term in terms.values()
        for row, evidence in term.definers.items()
    ]
    uses = [
        (row, identifiers[row], term.node, "USES_TERM", evidence)
        for row, term, evidence in _uses(passages, terms)
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


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    """Yield each term that `text` defines, with the words that define it."""
    for pattern in _DEFINITIONS:
        for match in pattern.finditer(text):
            yield match["term"].strip(" ,’'"), " ".join(match[0].split())
    for table in _TABLE.finditer(text):
        for match in _ROW.finditer(table["rows"]):
            if not _ENUMERATOR.fullmatch(match["term"].strip()):
                yield match["term"].strip(), match["term"].strip()


def _uses(passages: pl.DataFrame, terms: Terms) -> Iterator[tuple[int, Term, str]]:
    """Yield the row, the term and its written form of every use in a text, in reading order."""
    documents = passages["document_id"].to_list()
    homes = {key: {documents[row] for row in term.definers} for key, term in terms.items() if term.local}
    longest: dict[str, int] = {}
    for key in terms:
        longest[key[0]] = max(longest.get(key[0], 0), len(key))
    for row, text in enumerate(map(visible, passages["text"])):
        tokens = _TOKEN.findall(text)
        keys = _key(tokens)
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
    """Return the longest term at `place`, empty when there is none."""
    for length in range(min(longest, len(keys) - place), 0, -1):
        key = keys[place : place + length]
        term = terms.get(key)
        if term and all(map(str.startswith, tokens[place : place + length], term.prefixes)):
            return key
    return ()


def _key(tokens: list[str]) -> tuple[str, ...]:
    """Return the tokens in lower case and in the singular: "Relevant Persons" are a "Relevant Person"."""
    return tuple(map(_singular, tokens))


@lru_cache(maxsize=1 << 17)
def _singular(token: str) -> str:
    word = token.lower()
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]


def _required(token: str) -> str:
    if len(token) > 1 and token.isupper():
        return token
    return token[0] if token[0].isupper() else ""
