"""The official interpretations as questions: each comment asks for the paragraph that it explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from rulerank.corpora.corpus import Questions
from rulerank.corpora.regml.elements import Element
from rulerank.corpora.regml.files import Regulation
from rulerank.corpora.regml.labels import require_label
from rulerank.corpora.regml.wording import question_of
from rulerank.tables import JUDGEMENTS, QUERIES

COMMENT = "-Interp"
"""What follows the label of the explained paragraph in the label of an interpretation."""
EXPLAINED, CITED = 2, 1
"""Relevance of the paragraph that a comment explains, and of those that it cites."""


@dataclass(frozen=True)
class _Comment:
    """A numbered comment and the paragraph it explains."""

    element: Element
    target: str | None


def questions_of(regulation: Regulation, stated_in: Mapping[str, str]) -> Questions:
    """Return the comments on a regulation as training questions.

    Parameters
    ----------
    regulation : Regulation
        The regulation with its interpretations.
    stated_in : mapping of str to str
        The passage with text that states a provision, by the provision's label; see `Provision.stated_in`.

    Returns
    -------
    Questions
        One for every comment that explains a passage and has a sentence; the others are counted in
        `problems`.

    Raises
    ------
    InputError
        Two of them have the same label, or a label cannot be an id; line and column are named.

    """
    queries, judged, reasons, asked = [], [], Counter[str](), set[str]()
    for comment in _comments(regulation.body, None):
        element = comment.element
        label = element.attributes.get("label", "")
        explained = stated_in.get(comment.target or "")
        text = question_of(element.child("title"), list(_contents(element)))
        if explained is None:
            reasons["on no paragraph of the corpus left out"] += 1
        elif text is None:
            reasons["without a sentence left out"] += 1
        else:
            require_label(regulation.path, element, label, asked)
            asked.add(label)
            queries.append((label, text, "train", regulation.letter or regulation.names[0], None, None))
            cited = dict.fromkeys(passage for passage in _cited(element, stated_in) if passage != explained)
            judged += [(label, explained, EXPLAINED), *((label, passage, CITED) for passage in cited)]
    return Questions(
        pl.DataFrame(queries, schema=dict(QUERIES.columns), orient="row"),
        pl.DataFrame(judged, schema=dict(JUDGEMENTS.columns), orient="row"),
        tuple(f"{regulation.path.name}: {count} comments {why}" for why, count in reasons.items()),
    )


def _comments(element: Element, target: str | None) -> Iterator[_Comment]:
    """Yield the outermost comments: elements with a number or a text; other elements group them."""
    for child in element.children:
        if child.name in {"interpSection", "interpParagraph"}:
            label = child.attributes.get("label", "")
            own = label.removesuffix(COMMENT) if label.endswith(COMMENT) else target
            explained = child.attributes.get("target") or own
            if child.name == "interpParagraph" and _says_something(child):
                yield _Comment(child, explained)
            else:
                yield from _comments(child, explained)
        else:
            yield from _comments(child, target)


def _says_something(element: Element) -> bool:
    content = element.child("content")
    numbered = element.attributes.get("marker", "") not in {"", "Interp"}
    return numbered or bool(content and content.text.strip())


def _contents(element: Element) -> Iterator[Element]:
    """Yield the texts of a comment and of the items below it."""
    for child in element.children:
        if child.name == "content":
            yield child
        elif child.name == "interpParagraph":
            yield from (part for part in child.children if part.name == "title")
            yield from _contents(child)


def _cited(element: Element, stated_in: Mapping[str, str]) -> Iterator[str]:
    for each in element.walk():
        if each.name == "ref" and each.attributes.get("reftype") == "internal":
            passage = stated_in.get(each.attributes.get("target", ""))
            if passage:
                yield passage
