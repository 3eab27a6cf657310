"""What the words of a regulation say about it: the kind of a passage, the tier of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulerank.text import normalise

_TERM = (
    r"(?:[“\"‘'][^”\"’'\n]{1,80}[”\"’']|(?!This |That |It |Which |These )[A-Z][\w-]*"
    r"(?: (?!must |shall |may |by )[\w-]+){0,6}?)"
)
_DEFINITION = re.compile(
    rf"^\W*(?:\w{{1,4}}\)\s*)?(?:(?:In|For the purposes? of) [^\n“\"]{{1,60}},? )?(?:(?:[Tt]he|[Aa]n?) )?"
    rf"(?:(?:term|expression) )?{_TERM}(?:, [^,.\n]{{1,60}},)?\s+"
    r"(?:means?|(?:has|have) the (?:same )?meaning)\b(?! (?:that|of|to)\b)",
    re.MULTILINE,
)
_FORM = re.compile(
    r"\b(?:prescribed|approved|specified) form\b"
    r"|\bform (?:as )?(?:is |may be )?(?:prescribed|specified|published)\b"
    r"|\bForm [A-Z]{0,4}[ -]?\d",
)
_EXCEPTION = re.compile(
    r"\b(?:do|does|shall|will) not apply\b|\bexempt(?:ed)? from\b"
    r"|^\W*(?:Except|Unless|Despite|Notwithstanding)\b"
)

# In this order: "Guidance on the Rules" is guidance, "Rules and Guidance" are rules.
_TIERS = (
    (5, re.compile(r"^(?:supplementary |draft )?guidance\b", re.I)),
    (3, re.compile(r"\b(?:rules|rulebook)\b", re.I)),
    (5, re.compile(r"\b(?:guidance|guidelines|principles|manual)\b", re.I)),
    (4, re.compile(r"\bnotice\b", re.I)),
    (2, re.compile(r"\bdecree\b", re.I)),
    (1, re.compile(r"\b(?:act|law|statute|regulations)\b", re.I)),
)


def kind_of(section: str, text: str, tier: int | None) -> str:
    """Return the kind of a passage, one of `rulerank.tables.KINDS`, by plain patterns.

    Parameters
    ----------
    section, text : str
        The section id of the passage, and its text.
    tier : int or None
        The tier of its document; what a guidance or manual says is guidance throughout.

    """
    if not normalise(text):
        return "heading"
    if _DEFINITION.search(text):
        return "definition"
    if "guidance" in section.casefold() or tier == 5:
        return "guidance"
    if _FORM.search(text):
        return "form"
    return "exception" if _EXCEPTION.search(text) else "rule"


def tier_of(names: Sequence[str]) -> int | None:
    """Return the tier (1 statute, 2 decree, 3 rules, 4 notice, 5 manual) that a document's names state.

    None when no name says what the document is.
    """
    return next((tier for tier, pattern in _TIERS if any(pattern.search(name) for name in names)), None)
