"""Names of bodies, places and things in the text: nodes of the graph, as in the ObliQA-MP publication."""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from rulerank.graph.terms import Keys, Terms
from rulerank.tables import EDGES, NAME_NODE
from rulerank.text import STOPWORDS, visible

LEAST = 2
"""The fewest passages that must contain a name. One that is in a single passage joins nothing."""

_CAPITAL = r"[A-Z][\w&-]*"
_RUN = re.compile(rf"\b{_CAPITAL}(?: (?:(?:of|for)(?: the)? )?{_CAPITAL})*")
_ACRONYM = re.compile(r"[A-Z]{2,}")


def names_edges(passages: pl.DataFrame, terms: Terms, keys: Keys, max_share: float) -> pl.DataFrame:
    """Return NAMES edges, passage -> `name:<name>` in lower case and the singular.

    A name is a run of words with a capital, joined by spaces, "of" or "for": at least two words, or one word
    all in capitals. Stopwords at its beginning, which owe their capital to the sentence, are not part of it.
    A term that the corpus defines is not a name, not even in the plural.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.
    terms : dict
        The result of `defined_terms` for the same passages.
    keys : Keys
        Lower case and singular, used to look up the terms.
    max_share : float
        A name in more than this share of the passages gets no edges, nor does one in fewer than `LEAST`.

    Returns
    -------
    polars.DataFrame
        The edges table, in the order of the passages; the evidence is the name as written there.

    """
    found = [
        (passage_id, NAME_NODE + phrase, "NAMES", name)
        for passage_id, text in passages.select("passage_id", "text").iter_rows()
        for name in names(text)
        if tuple((phrase := keys.phrase(name)).split()) not in terms
    ]
    edges = pl.DataFrame(found, schema=dict(EDGES.columns), orient="row")
    held = edges.unique(EDGES.key, keep="first", maintain_order=True)
    times = pl.len().over("target_id")
    return held.filter(times >= LEAST, times <= max_share * passages.height)


def names(text: str) -> Iterator[str]:
    """Yield the names of a text in reading order, including repeats."""
    for line in visible(text).splitlines():
        for run in _RUN.finditer(" ".join(line.split())):
            words = run[0].split()
            while words and words[0].lower() in STOPWORDS:
                words.pop(0)
            if len(words) > 1 or (words and _ACRONYM.fullmatch(words[0])):
                yield " ".join(words)
