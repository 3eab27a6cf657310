"""A passage's context: its title and the headings above it."""

from __future__ import annotations

import polars as pl

from rulerank.arrays import IntArray
from rulerank.text import language_of

HEADING_WORDS = 20
"""A passage of at most this many words serves as a heading for the passages below it."""


def headings(passages: pl.DataFrame, documents: pl.DataFrame, parents: IntArray) -> list[str]:
    """Return the heading path of each passage: its document, its ancestors from the top, its own title.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables; N passages.
    parents : array of shape (N,)
        Row of each passage's parent, -1 for none.

    Returns
    -------
    list of str
        One line per heading, outermost first; empty for a passage without headings.

    """
    titles = dict(documents.select("document_id", "title").iter_rows())
    own = [
        title.strip() or (text.strip() if len(text.split()) <= HEADING_WORDS else "")
        for title, text in passages.select("title", "text").iter_rows()
    ]
    top = [titles.get(document, "") for document in passages["document_id"]]
    paths = []
    for row, title in enumerate(passages["title"]):
        path = [title.strip()]
        parent = int(parents[row])
        while parent >= 0:
            path.append(own[parent])
            parent = int(parents[parent])
        path.append(top[row])
        paths.append("\n".join(part for part in reversed(path) if part))
    return paths


def prefixed(passages: pl.DataFrame, documents: pl.DataFrame) -> list[str]:
    """Return the text of each passage after a line of its metadata."""
    lines = metadata(passages, documents)
    return [f"{line}\n{text}" for line, text in zip(lines, passages["text"], strict=True)]


def metadata(passages: pl.DataFrame, documents: pl.DataFrame) -> list[str]:
    """Return what SearchFireSafety puts before each passage: law, level, article and heading.

    Parameters
    ----------
    passages, documents : polars.DataFrame
        The two tables; N passages.

    Returns
    -------
    list of str
        One line per passage, its parts joined by " | "; the level is in the language of the law's name.

    """
    titles = dict(documents.select("document_id", "title").iter_rows())
    lines = []
    for document, tier, section, title in passages.select(
        "document_id", "tier", "section", "title"
    ).iter_rows():
        law = titles.get(document, document)
        level = "" if tier is None else language_of(law).levels[tier - 1]
        lines.append(" | ".join(part for part in (law, level, section, title.strip()) if part))
    return lines
