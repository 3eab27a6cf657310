"""What the words of a regulation reveal: the kind of a passage, the tier of a document."""

from __future__ import annotations

from collections.abc import Sequence

from rulerank.text import language_of, visible


def kind_of(section: str, text: str, tier: int | None) -> str:
    """Return the kind of a passage, one of `rulerank.tables.KINDS`, by plain patterns.

    Parameters
    ----------
    section, text : str
        The section id of the passage, and its text.
    tier : int or None
        The tier of its document; all of a guidance or manual is guidance.

    """
    text = visible(text)
    if not text.strip():
        return "heading"
    language = language_of(text)
    if language.definition.search(text):
        return "definition"
    if "guidance" in section.casefold() or tier == 5:
        return "guidance"
    if language.form.search(text):
        return "form"
    return "exception" if language.exception.search(text) else "rule"


def tier_of(names: Sequence[str]) -> int | None:
    """Return the tier (1 statute, 2 decree, 3 rules, 4 notice, 5 manual) that a document's names state.

    None when no name says what the document is.
    """
    stated = [
        (order, tier)
        for name in names
        for order, (tier, pattern) in enumerate(language_of(name).tiers)
        if pattern.search(name)
    ]
    return min(stated)[1] if stated else None
