"""Answers that quote a voided rule without its change, or state a figure that is no longer in force."""

from __future__ import annotations

from collections.abc import Mapping

from rulerank.answer import Answer, Claim
from rulerank.answer.readings import stands
from rulerank.corpora.sample.truth import ChangedProvision


def stale_claims(answer: Answer, changed: Mapping[str, ChangedProvision]) -> list[Claim]:
    """Return the claims that state superseded law.

    Parameters
    ----------
    answer : Answer
        Made as of a day after all changes.
    changed : mapping of str to ChangedProvision
        The known changes of the rulebook, by passage.

    """
    return [
        claim
        for claim in answer.claims
        if any(_stale(claim, changed[each]) for each in claim.passages if each in changed)
    ]


def _stale(claim: Claim, provision: ChangedProvision) -> bool:
    unsaid = provision.by not in claim.passages
    figures = any(stands(claim.text, figure) for figure in provision.stale)
    return unsaid or (figures and not stands(claim.text, provision.figure))
