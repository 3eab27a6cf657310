"""Verification of an answer: a claim that its citations do not bear out is dropped, with the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from rulerank.answer.changes import limited, substitutions
from rulerank.answer.claims import Answer, Claim, Dropped
from rulerank.answer.readings import stands
from rulerank.answer.verification.bounds import other_bounds
from rulerank.answer.verification.evidence import ClaimEvidence
from rulerank.answer.verification.figures import figures, missing
from rulerank.answer.verification.force import disagreement
from rulerank.answer.verification.outdated import outdated
from rulerank.passages import Passage
from rulerank.text import sentences, tokens, visible

SHARE = 0.75
"""The least share of a claim's content stems, and of those of each sentence, that its passages must hold."""
SHARE_TOGETHER = 0.6
"""The least share of them that must occur together, in the statements that support the claim best."""
SHARE_EACH = 0.3
"""The least share of them that each cited passage must hold, unless it is quoted verbatim or is a change.

`python experiments/verification.py DATA` measures what these shares let through.
"""

_LEFT_OUT = re.compile(r"…|\.{3}")
_MARK = re.compile(r"\[\s*P\s*\d+\s*\]", re.IGNORECASE)
_TERM = re.compile(r"“([^“”]+)”|\"([^\"]{1,300})\"|‘([^‘’]{1,80})’(?!\w)|(?<!\w)'([^'\n]{1,80})'(?!\w)")


def verified(answer: Answer) -> Answer:
    """Return an answer without the claims that its passages do not bear out.

    A claim stays if it passes all checks. Every passage it cites was shown, and its quotes are parts of these
    passages. What changes a cited rule as a whole, or words of it that the claim states, is cited too. Its
    words occur in the cited passages, and largely together. It has the force of what it cites, and denies the
    same. Its bounds, intervals and conditions do not run against theirs. Its figures, dates and quoted terms
    occur there. It does not state words that a change it cites has replaced, nor as in force what that change
    repeals.

    Parameters
    ----------
    answer : Answer
        The answer of any answerer.

    Returns
    -------
    Answer
        The claims that stay, in order. The others are added to `dropped`, each with its first fault. An
        answer that is left without claims abstains.

    """
    sources = {passage.passage_id: passage for passage in answer.sources}
    kept: list[Claim] = []
    dropped = list(answer.dropped)
    for claim in answer.claims:
        because = fault(claim, sources)
        if because:
            dropped.append(Dropped(claim, because))
        else:
            kept.append(claim)
    because_none = answer.abstained_because
    if answer.claims and not kept:
        because_none = f"no claim was borne out by its passages ({dropped[-1].because})"
    return replace(answer, claims=tuple(kept), dropped=tuple(dropped), abstained_because=because_none)


def fault(claim: Claim, sources: Mapping[str, Passage]) -> str | None:
    """Return why the passages shown do not bear a claim out, or None if they do.

    Parameters
    ----------
    claim : Claim
        As an answerer stated it.
    sources : mapping of str to Passage
        The passages shown, by id.

    """
    broken = _citation(claim, sources)
    if broken:
        return broken
    evidence = ClaimEvidence(claim, [sources[each] for each in claim.passages])
    return next(filter(None, (check(evidence) for check in _CHECKS)), None)


def _citation(claim: Claim, sources: Mapping[str, Passage]) -> str | None:
    if not claim.passages:
        return "citation: none"
    for passage_id in claim.passages:
        if passage_id not in sources:
            return f"citation: {passage_id!r} was not shown"
    for quote in claim.quotes:
        if quote.passage_id not in claim.passages:
            return f"quote: {quote.passage_id!r} is quoted and not cited"
        text = sources[quote.passage_id].text
        if not 0 <= quote.start < quote.end <= len(text) or not text[quote.start : quote.end].strip():
            return f"quote: {quote.passage_id!r} has no text at {quote.start} to {quote.end}"
    for passage_id in claim.changed_by:
        if passage_id not in claim.passages:
            return f"change: {passage_id!r} changes the claim and is not cited"
    for passage_id in claim.passages:
        voided_by = sources[passage_id].voided_by
        if voided_by and not set(voided_by) & set(claim.passages):
            return f"change: {passage_id!r} is changed by {voided_by[0]!r}, which the claim does not cite"
        for change in voided_by:
            if (
                change not in claim.passages
                and change in sources
                and _may_concern(sources[change].text, claim.text)
            ):
                return f"change: {passage_id!r} is changed by {change!r}, which the claim does not cite"
    return None


def _may_concern(change: str, claim: str) -> bool:
    """Return whether a change may concern a claim: it repeals or replaces all, or words of the claim."""
    if limited(change):
        return False
    said = substitutions(change)
    return not said or any(not each.old or stands(claim, each.old) for each in said)


def _mark(evidence: ClaimEvidence) -> str | None:
    text = evidence.claim.text
    if not text.strip():
        return "text: blank"
    return "text: it holds a citation mark of its own" if _MARK.search(visible(text)) else None


def _support(evidence: ClaimEvidence) -> str | None:
    if evidence.share < SHARE:
        return f"support: {evidence.share:.0%} of the claim's words are in the passages it cites"
    for sentence in sentences(evidence.claim.text):
        if evidence.share_of_words(sentence) < SHARE:
            return f"support: the passages that the claim cites do not say {sentence[:80]!r}"
    if evidence.share_together < SHARE_TOGETHER:
        return f"support: {evidence.share_together:.0%} of the claim's words stand together in them"
    for passage in evidence.paraphrased:
        if evidence.share_of(passage) < SHARE_EACH:
            return f"support: {passage.passage_id!r} is cited and does not bear the claim out"
    return None


def _force(evidence: ClaimEvidence) -> str | None:
    return _against_each(evidence, disagreement)


def _bounds(evidence: ClaimEvidence) -> str | None:
    return _against_each(evidence, other_bounds)


def _against_each(evidence: ClaimEvidence, compare: Callable[[str, str], str | None]) -> str | None:
    """Return the first fault that a comparison finds, or None if it finds none with one of the statements."""
    statements = [*evidence.supporting, *evidence.as_changed]
    found = [compare(evidence.claim.text, words) for words in statements]
    return None if None in found else next(iter(found), None)


def _figures(evidence: ClaimEvidence) -> str | None:
    absent = missing(figures(evidence.claim.text), evidence.figures)
    return f"figure: {absent[0]} is in no passage that the claim cites" if absent else None


def _in_force(evidence: ClaimEvidence) -> str | None:
    found = outdated(evidence.claim.text, evidence.cited)
    return f"change: {found!r} is no longer in force by what the claim cites" if found else None


def _terms(evidence: ClaimEvidence) -> str | None:
    terms = list(_TERM.finditer(evidence.claim.text))
    texts = [f"{each.place}\n{each.text}" for each in evidence.cited] if terms else []
    known = " ".join(["", *(word for text in texts for word in tokens(text)), ""])
    for match in terms:
        term = next(filter(None, match.groups()))
        for part in _LEFT_OUT.split(term):
            words = " ".join(tokens(part))
            if words and f" {words} " not in known:
                return f"term: {part.strip()!r} is in no passage that the claim cites"
    return None


_CHECKS: tuple[Callable[[ClaimEvidence], str | None], ...] = (
    _mark,
    _support,
    _force,
    _bounds,
    _figures,
    _in_force,
    _terms,
)
