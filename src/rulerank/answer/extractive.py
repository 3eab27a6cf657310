"""Answers in the rules' own words: the statements of the sources that answer the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from rulerank.answer.claims import Answer, Claim, Quote
from rulerank.answer.conflicts import contradictions
from rulerank.answer.law import Changed, Law
from rulerank.answer.lead_in import LeadIn, introduces_items, is_item, lead_ins, modality_under
from rulerank.answer.readings import Reading, annotated, positions, reworded
from rulerank.answer.relevance import Relevance, asked_for
from rulerank.answer.stated import as_changed, joined, quoted, repeal, whole_passage
from rulerank.obligations import DUTIES, Modality, Statement, is_title, statements, without_heading
from rulerank.passages import Passage
from rulerank.text import INVISIBLE, language_of, normalise

MOST = 8
"""The most duties of one passage that an answer states; if it has more, those nearest to the question."""

NEAR = 0.8
"""The share of the best relevance from which a fact beside it is stated, too."""

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
        """Yield the claims of a rule as it is today.

        If it is an item that is only right with the others, its list states it.
        """
        if self.law.parents.get(rule_id) in self.law.lists:
            return
        changed = self.law.changed(rule_id)
        if changed is None:
            yield from self._plain(self.law.passages[rule_id], rule_id, question)
        elif changed.repealed_by:
            yield repeal(changed)
        else:
            own: set[Quote] = set()
            if changed.readings or changed.qualified_by:
                for claim in self._amended(changed, question):
                    own.update(claim.quotes)
                    yield claim
            for claim in self._plain(changed.version, rule_id, question):
                if not own or (claim.modality and claim.quotes[-1] not in own):
                    yield as_changed(claim, changed)

    def _plain(self, passage: Passage, rule_id: str, question: str) -> Iterator[Claim]:
        """Yield the statements of a passage in whose words a rule stands."""
        if rule_id in self.law.lists:
            yield self._whole_list(passage)
        for statement in self._chosen(self._own_statements(passage, rule_id), rule_id, question):
            yield self._with_lead_ins(quoted(passage, statement), passage.passage_id, passage, statement)

    def _whole_list(self, lead: Passage) -> Claim:
        """Return a lead-in with all of its items, below its own lead-ins."""
        opening = statements(lead.text)[-1]
        items = [self._item(each) for each in self.law.lists[lead.passage_id]]
        return self._with_lead_ins(joined([quoted(lead, opening), *items]), lead.passage_id, lead, opening)

    def _item(self, rule_id: str) -> Claim:
        """Return the whole of an item as it is today, or what repeals it in brackets."""
        rule = self.law.passages[rule_id]
        changed = self.law.changed(rule_id) or Changed(rule, rule)
        if changed.repealed_by:
            repealed = repeal(changed)
            return replace(repealed, text=f"[{repealed.text}]")
        words, quote = whole_passage(changed.version)
        text = " ".join([annotated(words, changed.readings), *self._qualifications(changed)])
        claim = Claim(text, None, (rule_id,), (quote, *self._amending(changed)))
        return as_changed(claim, changed) if changed.by else claim

    def _own_statements(self, passage: Passage, rule_id: str) -> list[Statement]:
        """Return the statements of a passage, without its heading.

        The items of the rule bring its lead-in along. What an item states depends on its own lead-in.
        """
        leading = rule_id in self.law.parents.values()
        stated = without_heading(statements(passage.text))
        said = [each for each in stated if not (leading and introduces_items(each.text))]
        openings = list(lead_ins(self.law, passage.passage_id))
        return [
            replace(each, modality=modality_under(openings, each.text, each.modality))
            if is_item(each, passage, openings)
            else each
            for each in said
        ]

    def _amended(self, changed: Changed, question: str) -> Iterator[Claim]:
        """Yield the changed words of a rule with their exceptions.

        If no words are read differently, the duties are one claim with what changes them in part.
        """
        rule_id, version = changed.rule.passage_id, changed.version
        said = self._own_statements(version, rule_id)
        touched = [each for each in said if _touches(changed.readings, version, each)]
        if not touched and not changed.readings:
            touched = self._chosen(said, rule_id, question)
        touched = touched or said
        if not touched:
            return
        # Items of one list share its lead-in.
        own = {
            Quote(version.passage_id, span.start, span.end): version.text[span.start : span.end]
            for each in touched
            for span in each.spans
        }
        text = annotated(
            " ".join(" ".join(words.translate(INVISIBLE).split()) for words in own.values()), changed.readings
        )
        claim = Claim(
            " ".join([text, *self._qualifications(changed)]),
            next(filter(None, (_modality_now(each, changed.readings) for each in touched)), None),
            (rule_id,),
            (*own, *self._amending(changed)),
        )
        yield as_changed(self._with_lead_ins(claim, rule_id, version, touched[0], changed.readings), changed)

    def _qualifications(self, changed: Changed) -> list[str]:
        return [f"[{whole_passage(passage)[0]}]" for passage in changed.qualified_by]

    def _amending(self, changed: Changed) -> list[Quote]:
        """Return as quotes the passages that change the words of a rule."""
        silent = {passage.passage_id for passage in (changed.version, *changed.former_changes)}
        return [whole_passage(self.law.passages[each])[1] for each in changed.by if each not in silent]

    def _chosen(self, said: Sequence[Statement], rule_id: str, question: str) -> list[Statement]:
        """Return the statements of a rule that answer a question, in reading order.

        The items of a list may be a few words, as titles are.
        """
        if not said:
            return []
        relevance = self.relevance(question, [statement.text for statement in said])
        wanted = DUTIES | asked_for(question)
        kept = [place for place, statement in enumerate(said) if statement.modality in wanted]
        item = rule_id in self.law.parents
        telling = [place for place, statement in enumerate(said) if item or not is_title(statement.text)]
        telling.sort(key=lambda place: (-relevance[place], said[place].modality is None))
        if not any(said[place].modality in DUTIES for place in kept):
            others = [place for place, statement in enumerate(said) if statement.modality is not None]
            # A fact may answer the question better than a power beside it.
            least = NEAR * max((relevance[place] for place in telling), default=0.0)
            near = [place for place in telling if 0 < least <= relevance[place]]
            kept = sorted({*kept, *others, *telling[:1], *near})
        elif telling and relevance[telling[0]] > max(relevance[place] for place in kept):
            # "A fisher must hold a card. A card is valid for two years."
            kept = sorted({*kept, telling[0]})
        if len(kept) > MOST:
            kept = sorted(kept, key=lambda place: -relevance[place])[:MOST]
        scope = [place for place, each in enumerate(said) if language_of(each.text).scope.search(each.text)]
        return [said[place] for place in sorted({*kept, *scope[:MOST]})]

    def _with_lead_ins(
        self,
        claim: Claim,
        rule_id: str,
        passage: Passage,
        item: Statement,
        readings: Sequence[Reading] = (),
    ) -> Claim:
        """Return an item's claim with its lead-ins as they are today, if those are separate passages.

        `passage` holds the words of the rule, and `readings` say how they are read.
        """
        openings = list(lead_ins(self.law, rule_id))
        if not is_item(item, passage, openings):
            return claim
        modality = modality_under(openings, reworded(item.text, readings), claim.modality)
        for opening in openings:
            claim = self._with_lead_in(opening, claim)
        return replace(claim, modality=modality)

    def _with_lead_in(self, opening: LeadIn, claim: Claim) -> Claim:
        """Return the claim of an item below a lead-in with the words of that lead-in."""
        changed, words = opening.changed, opening.statement.text
        opened = replace(
            claim,
            text=" ".join([annotated(words, changed.readings), *self._qualifications(changed), claim.text]),
            passages=(*claim.passages, changed.rule.passage_id),
            quotes=(*opening.quotes, *self._amending(changed), *claim.quotes),
        )
        return as_changed(opened, changed) if changed.by else opened


def _touches(readings: Sequence[Reading], passage: Passage, statement: Statement) -> bool:
    """Return whether words of a statement are read differently, even if they go on in the next one."""
    places = [place for read in readings for place in positions(passage.text, read.old)]
    return any(span.start < end and start < span.end for start, end in places for span in statement.spans)


def _modality_now(statement: Statement, readings: Sequence[Reading]) -> Modality | None:
    """Return what a statement says with its words as they are read now."""
    said = statements(reworded(statement.text, readings))
    return next((each.modality for each in said if each.modality), None)


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
