"""Answers in the rules' own words: the statements of the sources that answer the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from rulerank.answer.claims import Answer, Claim, Quote
from rulerank.answer.conflicts import contradictions
from rulerank.answer.law import Changed, Law
from rulerank.answer.readings import Reading, annotated, reworded, stands
from rulerank.answer.relevance import Relevance, asked_for
from rulerank.obligations import DUTIES, Modality, Statement, statements
from rulerank.passages import Passage
from rulerank.text import normalise

MOST = 8
"""The most duties of one passage that an answer states; if it has more, those nearest to the question."""

NOTHING = "No passage that was found states anything."


@dataclass(frozen=True, eq=False)
class Extractive:
    """The answerer without a model.

    Parameters
    ----------
    law : Law
        The rules around the sources.
    relevance : Relevance
        Rates how relevant a statement is to the question.

    """

    law: Law
    relevance: Relevance

    def __call__(self, question: str, sources: Sequence[Passage], as_of: date) -> Answer:
        """State what the sources say, in order, each statement once.

        A rule and what changes it are one claim, wherever either of them is ranked.
        """
        claims: dict[str, Claim] = {}
        done: set[str] = set()
        for source in sources:
            for rule_id in self.law.roots(source.passage_id):
                if rule_id in done:
                    continue
                done.add(rule_id)
                for claim in self._of_rule(rule_id, question):
                    _add(claims, claim)
                    done.update(claim.changed_by)
        found = contradictions(claims.values())
        return Answer(question, as_of, found, tuple(sources), None if found else NOTHING)

    def _of_rule(self, rule_id: str, question: str) -> Iterator[Claim]:
        changed = self.law.changed(rule_id)
        if changed is None:
            yield from self._plain(self.law.passages[rule_id], question)
        elif changed.repealed_by:
            yield _repeal(changed, changed.repealed_by[0])
        elif changed.replaced_by and not changed.readings:
            yield from self._replaced(changed, question)
        else:
            yield from self._amended(changed, question)

    def _plain(self, passage: Passage, question: str) -> Iterator[Claim]:
        leading = passage.passage_id in self.law.parents.values()
        # A lead-in says nothing without its items, and each item brings it along.
        said = [each for each in statements(passage.text) if not (leading and _leads(each.text))]
        for statement in self._chosen(said, question):
            quotes = tuple(Quote(passage.passage_id, span.start, span.end) for span in statement.spans)
            yield self._led(
                Claim(statement.text, statement.modality, (passage.passage_id,), quotes), passage, statement
            )

    def _replaced(self, changed: Changed, question: str) -> Iterator[Claim]:
        """Yield the statements that replace the rule, each citing the rule as well."""
        for newer in changed.replaced_by:
            for claim in self._plain(newer, question):
                yield replace(
                    claim,
                    passages=(*claim.passages, changed.rule.passage_id),
                    changed_by=(newer.passage_id,),
                )

    def _amended(self, changed: Changed, question: str) -> Iterator[Claim]:
        """Yield the changed words of a rule with their exceptions, then its duties that nothing changes.

        If no words are read differently, the duties are one claim with what changes them in part.
        """
        rule = changed.rule
        said = statements(rule.text)
        touched = [each for each in said if _touches(changed.readings, each)]
        if not touched:
            touched = list(said) if changed.readings else self._chosen(said, question)
        amending = dict.fromkeys(each for read in changed.readings for each in read.by)
        by = (*amending, *(passage.passage_id for passage in changed.unless))
        whole = {each: _whole(self.law.passages[each]) for each in by}
        text = annotated(" ".join(each.text for each in touched), changed.readings)
        unless = [f"[{whole[passage.passage_id][0]}]" for passage in changed.unless]
        own = [Quote(rule.passage_id, span.start, span.end) for each in touched for span in each.spans]
        yield Claim(
            " ".join(filter(None, [text, *unless])),
            next(filter(None, (_modality_now(each, changed.readings) for each in touched)), None),
            (*by, rule.passage_id),
            (*own, *(quote for _, quote in whole.values())),
            by,
        )
        for claim in self._plain(rule, question):
            if claim.modality and claim.quotes[-1] not in own:
                yield replace(claim, passages=(*by, *claim.passages), changed_by=by)

    def _chosen(self, said: Sequence[Statement], question: str) -> list[Statement]:
        """Return the statements of one passage that answer a question, in reading order."""
        if not said:
            return []
        relevance = self.relevance(question, [statement.text for statement in said])
        wanted = DUTIES | asked_for(question)
        kept = [place for place, statement in enumerate(said) if statement.modality in wanted]
        if not any(said[place].modality in DUTIES for place in kept):
            others = [place for place, statement in enumerate(said) if statement.modality is not None]
            kept = sorted({*kept, *others}) or [int(np.argmax(relevance))]
        if len(kept) > MOST:
            kept = sorted(sorted(kept, key=lambda place: -relevance[place])[:MOST])
        return [said[place] for place in kept]

    def _led(self, claim: Claim, passage: Passage, statement: Statement) -> Claim:
        """Return an item's claim with its lead-in, if that is a separate passage."""
        parent = self.law.passages.get(self.law.parents.get(passage.passage_id, ""))
        if parent is None or not _is_item(statement.text):
            return claim
        lead = [each for each in statements(parent.text) if _leads(each.text)]
        if not lead:
            return claim
        opening = lead[-1]
        quotes = tuple(Quote(parent.passage_id, span.start, span.end) for span in opening.spans)
        return Claim(
            f"{opening.text} {claim.text}",
            claim.modality or opening.modality,
            (*claim.passages, parent.passage_id),
            (*quotes, *claim.quotes),
        )


def _repeal(changed: Changed, repealing: Passage) -> Claim:
    text, quote = _whole(repealing)
    ids = (repealing.passage_id, changed.rule.passage_id)
    return Claim(text, None, ids, (quote,), (repealing.passage_id,))


def _whole(passage: Passage) -> tuple[str, Quote]:
    """Return a passage as one line and as a quote."""
    inside = passage.text.strip()
    start = passage.text.index(inside)
    return " ".join(inside.split()), Quote(passage.passage_id, start, start + len(inside))


def _touches(readings: Sequence[Reading], statement: Statement) -> bool:
    return any(stands(statement.text, read.old) for read in readings)


def _modality_now(statement: Statement, readings: Sequence[Reading]) -> Modality | None:
    """Return what a statement says with its words as they are read now."""
    said = statements(reworded(statement.text, readings))
    return next((each.modality for each in said if each.modality), None)


def _leads(text: str) -> bool:
    return text[-1] in ":—–-,"


def _is_item(text: str) -> bool:
    return text[0].islower() or text[0] in "(•·–-"


def _add(claims: dict[str, Claim], claim: Claim) -> None:
    """Add a claim; if it is there already, add the further passages that state it."""
    key = normalise(claim.text)
    if (known := claims.get(key)) is None:
        claims[key] = claim
        return
    claims[key] = replace(
        known,
        passages=tuple(dict.fromkeys([*known.passages, *claim.passages])),
        quotes=tuple(dict.fromkeys([*known.quotes, *claim.quotes])),
        changed_by=tuple(dict.fromkeys([*known.changed_by, *claim.changed_by])),
    )
