"""Claims in the words of the passages that they quote."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulerank.answer.claims import Claim, Quote
from rulerank.answer.law import Changed
from rulerank.obligations import Statement, statements
from rulerank.passages import Passage


def quoted(passage: Passage, statement: Statement) -> Claim:
    """Return a statement of a passage."""
    quotes = tuple(Quote(passage.passage_id, span.start, span.end) for span in statement.spans)
    return Claim(statement.text, statement.modality, (passage.passage_id,), quotes)


def joined(claims: Sequence[Claim]) -> Claim:
    """Return claims as one, of the first modality among them or else of their words together."""
    text = " ".join(claim.text for claim in claims)
    alone = next((claim.modality for claim in claims if claim.modality), None)
    return Claim(
        text,
        alone or next((each.modality for each in statements(text) if each.modality), None),
        tuple(dict.fromkeys(each for claim in claims for each in claim.passages)),
        tuple(quote for claim in claims for quote in claim.quotes),
        tuple(dict.fromkeys(each for claim in claims for each in claim.changed_by)),
    )


def as_changed(claim: Claim, changed: Changed) -> Claim:
    """Return a claim that cites a rule and all that changes it."""
    passages = dict.fromkeys([*changed.by, *claim.passages, changed.rule.passage_id])
    changed_by = tuple(dict.fromkeys([*claim.changed_by, *changed.by]))
    return replace(claim, passages=tuple(passages), changed_by=changed_by)


def repeal(changed: Changed) -> Claim:
    """Return the latest repeal of a rule with what changes it, citing whatever else changed the rule."""
    said = [whole_passage(each) for each in (changed.repealed_by[0], *changed.named_in)]
    later = [whole_passage(each) for each in changed.repeal_changed_by]
    rule_id = changed.rule.passage_id
    whole = (
        *changed.repealed_by,
        *changed.named_in,
        *changed.repeal_changed_by,
        changed.version,
        *changed.former_changes,
    )
    by = tuple(each for each in dict.fromkeys(each.passage_id for each in whole) if each != rule_id)
    stated = " ".join([*(words for words, _ in said), *(f"[{words}]" for words, _ in later)])
    return Claim(stated, None, (*by, rule_id), tuple(quote for _, quote in (*said, *later)), by)


def whole_passage(passage: Passage) -> tuple[str, Quote]:
    """Return a passage as one line and as a quote."""
    inside = passage.text.strip()
    start = passage.text.index(inside)
    return " ".join(inside.split()), Quote(passage.passage_id, start, start + len(inside))
