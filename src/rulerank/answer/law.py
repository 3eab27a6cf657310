"""What an answerer knows about the rules around its sources: their changes and their lead-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulerank.answer.changes import holds_off, limited, repeals
from rulerank.answer.readings import Reading, readings
from rulerank.authority.in_force import InForce
from rulerank.passages import Passage


@dataclass(frozen=True)
class Changed:
    """A rule and what has become of it.

    Parameters
    ----------
    rule : Passage
        The rule as it was made.
    readings : tuple of Reading
        Its words that are read differently.
    repealed_by : tuple of Passage
        The passages that took it out of force.
    replaced_by : tuple of Passage
        The passages that replace it, in their own words.
    unless : tuple of Passage
        The passages that change it in part or on a condition, or say when a change does not apply.

    """

    rule: Passage
    readings: tuple[Reading, ...] = ()
    repealed_by: tuple[Passage, ...] = ()
    replaced_by: tuple[Passage, ...] = ()
    unless: tuple[Passage, ...] = ()


@dataclass(frozen=True, eq=False)
class Law:
    """The rules around some sources, on a day.

    Parameters
    ----------
    in_force : InForce
        What is in force on that day.
    passages : mapping of str to Passage
        The sources by id.
    citing : mapping of str to sequence of str
        The sources that cite a passage, by its id.
    parents : mapping of str to str
        The source that a passage is part of, by its id.

    """

    in_force: InForce
    passages: Mapping[str, Passage]
    citing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)

    def roots(self, passage_id: str) -> list[str]:
        """Return the rules that a passage changes, or the passage itself if it changes none."""
        changed = [each for each in self.in_force.changed(passage_id) if each in self.passages]
        return changed or [passage_id]

    def changed(self, rule_id: str) -> Changed | None:
        """Return what has become of a rule, or None if nothing changes it."""
        changes = [each for each in self.in_force.changes(rule_id) if each.by in self.passages]
        if not changes:
            return None
        rule = self.passages[rule_id]
        words = {each.by: self.passages[each.by].text for each in changes}
        read, others = readings(rule.text, changes, words)
        around = [rule_id, *words]
        unless = {
            each: self.passages[each]
            for cited in around
            for each in self.citing.get(cited, ())
            if each not in words and each != rule_id and holds_off(self.passages[each].text)
        }
        # If a change was changed in turn, only the latest version counts.
        standing = [self.passages[each] for each in others if each in self.in_force.voided_by(rule_id)]
        evidence = {each.by: each.evidence for each in changes}
        partly = [each for each in standing if limited(each.text, evidence[each.passage_id])]
        whole = [each for each in standing if each not in partly]
        return Changed(
            rule,
            tuple(read),
            tuple(each for each in whole if repeals(each.text)),
            tuple(each for each in whole if not repeals(each.text)),
            (*partly, *unless.values()),
        )
