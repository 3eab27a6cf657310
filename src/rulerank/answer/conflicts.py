"""Claims that differ only in their figures: both are stated as a contradiction."""

from __future__ import annotations

from collections.abc import Iterable

from rulerank.answer.claims import Claim
from rulerank.answer.verification.figures import figures, without_figures
from rulerank.text import normalise

_LEAST = 6
"""Words that two claims must have in common, besides figures."""

PREFACE = "In conflict:"


def contradictions(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Join claims that differ only in their figures; all others stay as they are.

    They must cite different passages. A change to a rule does not contradict the rule, and neither does the
    same figure in other words, "12 months" and "twelve months".
    """
    joined: dict[str, Claim] = {}
    for claim in claims:
        frame = normalise(without_figures(claim.text))
        comparable = "#" in frame and len(frame.split()) >= _LEAST and not claim.changed_by
        key = frame if comparable else claim.text
        other = joined.get(key)
        if other is None or not _conflict(other, claim):
            joined[key if other is None else claim.text] = claim
        else:
            said = other.text if other.text.startswith(PREFACE) else f"{PREFACE} “{other.text}”"
            joined[key] = Claim(
                f"{said} “{claim.text}”",
                other.modality,
                tuple(dict.fromkeys([*other.passages, *claim.passages])),
                (*other.quotes, *claim.quotes),
            )
    return tuple(joined.values())


def _conflict(one: Claim, other: Claim) -> bool:
    same_figures = figures(other.text) <= figures(one.text)
    return not same_figures and not set(one.passages) & set(other.passages)
