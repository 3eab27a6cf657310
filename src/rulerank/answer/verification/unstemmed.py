"""How a claim rules otherwise than what it cites, in a language whose verbs are not stemmed."""

from __future__ import annotations

from rulerank.text import Language, sentences
from rulerank.text.language import Duty


def other_force(claim: str, support: str, language: Language) -> str | None:
    """Return a duty or a denial that only one of two texts has, or None.

    Without stems it is not known which act a duty is about: each duty of the claim must be one of the
    support. A claim may leave a duty or a denial out only if a sentence of the support has none.
    """
    said, ruled = _duties(claim, language), _duties(support, language)
    every = sentences(support)
    if not said <= ruled or (not said and every and all(_duties(each, language) for each in every)):
        stated, found = (" and ".join(sorted(names)) or "no duty" for names in (said, ruled))
        return f"modality: the claim states {stated}, what it cites {found}"
    denied = language.denial.search
    if denied(claim):
        return None if denied(support) else "negation: added"
    return "negation: lost" if every and all(map(denied, every)) else None


def _duties(text: str, language: Language) -> set[Duty]:
    return {name for name, pattern in language.modals if pattern.search(text)}
