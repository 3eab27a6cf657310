"""Passages that say of another paragraph of their own rule to what it does not apply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import polars as pl

from rulerank.graph.sections import Path, parse
from rulerank.text import LANGUAGES

_LIMITS = [each.changes.limiting for each in LANGUAGES if each.changes.limiting]
_ANY = "|".join(f"(?i:{each.pattern})" for each in _LIMITS)
"""Polars searches a whole rulebook for it."""
_LABEL = re.compile(r"\(\w{1,5}\)")
_OPENING = re.compile(r"\s*(\(\w{1,5}\))\s")


def limiting(passages: pl.DataFrame) -> Mapping[str, Sequence[str]]:
    """Return the passages that limit a paragraph of their own rule, by the passage that is this paragraph.

    Parameters
    ----------
    passages : polars.DataFrame
        The passages table.

    """
    found = passages.filter(pl.col("text").str.contains(_ANY))
    documents = found["document_id"].unique().implode()
    paragraphs: dict[tuple[str, Path, str], str] = {}
    columns = passages.select("passage_id", "document_id", "section", "text")
    for passage_id, document, section, text in columns.filter(
        pl.col("document_id").is_in(documents)
    ).iter_rows():
        rule, label = _paragraph(section, text)
        paragraphs.setdefault((document, rule, label), passage_id)
    limits: dict[str, dict[str, None]] = {}
    for passage_id, document, section, text in found.select(columns.columns).iter_rows():
        rule, _ = _paragraph(section, text)
        matches = (match for pattern in _LIMITS for match in pattern.finditer(text))
        # Without a number it is not known which rule it is.
        said = [match["of"] for match in matches if rule and _limits(match)]
        for label in (each for of in said for each in _LABEL.findall(of)):
            target = paragraphs.get((document, rule, label.casefold()), passage_id)
            if target != passage_id:
                limits.setdefault(target, {})[passage_id] = None
    return {target: list(by) for target, by in limits.items()}


def _limits(match: re.Match[str]) -> bool:
    """Return whether words limit a paragraph of their own rule: "Nothing in paragraph (1) applies"."""
    return not match["other"] and bool(match["nothing"]) == bool(match["done"])


def _paragraph(section: str, text: str) -> tuple[Path, str]:
    """Return the rule that a passage is in, and its number there: by its section, or by how it opens."""
    path = parse(section)
    if path and _LABEL.fullmatch(path[-1]):
        return path[:-1], path[-1]
    opening = _OPENING.match(text)
    return path, opening[1].casefold() if opening else ""
