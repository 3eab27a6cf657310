"""What an answerer knows of the rules around its sources: the changes to them, and their lead-ins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulerank.answer.changes import excepts_from_change, repeals, revives, revokes, substitutions
from rulerank.answer.readings import Reading, partial, wording
from rulerank.authority.in_force import InForce, Voiding
from rulerank.passages import Passage
from rulerank.text import visible


@dataclass(frozen=True)
class Changed:
    """A rule and what has become of it.

    Parameters
    ----------
    rule : Passage
        The rule as it was made.
    version : Passage
        The passage in whose words it stands: the rule itself, or the latest that took its place.
    readings : tuple of Reading, optional
        The words of this passage that are read differently.
    repealed_by : tuple of Passage, optional
        The passages that took it out of force.
    qualified_by : tuple of Passage, optional
        The passages that change it in part or on a condition, or say when a change does not apply.
    former_changes : tuple of Passage, optional
        The passages that changed it as a whole until others took their place.
    repeal_changed_by : tuple of Passage, optional
        The passages that change its repeal, which do not bring it back.
    named_in : tuple of Passage, optional
        The items that name its document, if its repeal is the lead-in of a list of documents.

    """

    rule: Passage
    version: Passage
    readings: tuple[Reading, ...] = ()
    repealed_by: tuple[Passage, ...] = ()
    qualified_by: tuple[Passage, ...] = ()
    former_changes: tuple[Passage, ...] = ()
    repeal_changed_by: tuple[Passage, ...] = ()
    named_in: tuple[Passage, ...] = ()

    @property
    def by(self) -> tuple[str, ...]:
        """The ids of the passages that make the rule what it is, apart from its own."""
        amending = (each for read in self.readings for each in read.by)
        others = (each.passage_id for each in (*self.qualified_by, self.version, *self.former_changes))
        return tuple(each for each in dict.fromkeys([*amending, *others]) if each != self.rule.passage_id)


@dataclass(frozen=True, eq=False)
class Law:
    """The rules around some sources, on a day.

    Parameters
    ----------
    in_force : InForce
        What is in force on that day.
    passages : mapping of str to Passage
        The sources by id.
    citing : mapping of str to sequence of str, optional
        The sources that cite a passage, by its id.
    parents : mapping of str to str, optional
        The source that a passage is part of, by its id.
    lists : mapping of str to sequence of str, optional
        The items of a lead-in, by its id, if they are right only together and nothing changes the lead-in.

    """

    in_force: InForce
    passages: Mapping[str, Passage]
    citing: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def roots(self, passage_id: str) -> list[str]:
        """Return the rules with which a passage is stated; the passage itself if there are no others.

        It changes them, or is an exception to a change of theirs.
        """
        changed = self._changed_by(passage_id)
        return [rule for each in changed for rule in self._rules_excepted(each) or [each]]

    def _changed_by(self, passage_id: str) -> list[str]:
        return [each for each in self.in_force.changed(passage_id) if each in self.passages] or [passage_id]

    def _rules_excepted(self, passage_id: str) -> list[str]:
        """Return the rules in force to whose changes a passage states an exception."""
        cited = (each for each, by in self.citing.items() if passage_id in by)
        rules = dict.fromkeys(rule for each in cited for rule in self._changed_by(each))
        changed = filter(None, map(self.changed, rules))
        return [
            each.rule.passage_id
            for each in changed
            if not each.repealed_by and self.passages[passage_id] in each.qualified_by
        ]

    def changed(self, rule_id: str) -> Changed | None:
        """Return what has become of a rule, or None if nothing changes it."""
        changes = [each for each in self.in_force.changes(rule_id) if each.by in self.passages]
        if not changes:
            return None
        rule, words = self.passages[rule_id], {each.by: self.passages[each.by].text for each in changes}
        now = wording(rule_id, changes, {rule_id: rule.text, **words})
        # If a change was changed in turn, only the latest version counts.
        above = {*self.in_force.voided_by(rule_id), *self._lasting(changes, now.versions)}
        standing = [self.passages[each] for each in now.others if each in above]
        past = [self.passages[each] for each in now.gone if each in above and not substitutions(words[each])]
        of_rule = {each.by for each in changes if each.of in now.versions}
        # A passage may also change an amendment of the rule; what it does to the rule itself comes first.
        made = {each.by: each for each in sorted(changes, key=lambda each: each.of in now.versions)}
        partly = [each for each in standing if partial(made[each.passage_id], each.text)]
        whole = [each for each in standing if each not in partly]
        ending = [each for each in whole if repeals(each.text, made[each.passage_id].evidence)]
        own = [each for each in ending if each.passage_id in of_rule]
        other = [each for each in whole if each not in ending]
        last = self.passages[now.versions[-1]]
        # If only a change of a rule is changed, both are stated: a day of its repeal is read as another.
        read = now.readings or last is not rule or any(each.passage_id in of_rule for each in other)
        moved = [] if read else other
        return Changed(
            rule,
            last,
            now.readings,
            tuple(own),
            (
                *partly,
                *(self.passages[made[each.passage_id].of] for each in moved),
                *other,
                *(each for each in ending if each not in own),
                *self._exceptions([rule_id, *words]),
            ),
            tuple(past),
            tuple(each for each in standing if each.passage_id not in of_rule),
            tuple(items_naming(rule.document, self._items(own[0].passage_id))) if own else (),
        )

    def _items(self, lead: str) -> Iterator[Passage]:
        return (self.passages[each] for each, above in self.parents.items() if above == lead)

    def _lasting(self, changes: Sequence[Voiding], versions: Sequence[str]) -> Iterator[str]:
        """Yield the passages that repealed a rule for good before they were repealed themselves."""
        for change in changes:
            text = self.passages[change.by].text
            repealing = change.of in versions and not partial(change, text) and revokes(text, change.evidence)
            if repealing and all(self._too_late(each, change) for each in changes if each.of == change.by):
                yield change.by

    def _too_late(self, change: Voiding, repeal: Voiding) -> bool:
        """Return whether a change ends a repeal, in some cases at least, without having prevented it."""
        text = self.passages[change.by].text
        # A change that states no day held on every day.
        prevented = repeal.since is not None and (change.since or repeal.since) <= repeal.since
        return (
            not prevented and not revives(text) and (partial(change, text) or repeals(text, change.evidence))
        )

    def _exceptions(self, changed: Sequence[str]) -> list[Passage]:
        """Return the passages that say when a change does not apply, with what changes them in turn."""
        excepting = [
            each
            for cited in changed
            for each in self.citing.get(cited, ())
            if each not in changed and excepts_from_change(self.passages[each].text)
        ]
        found: dict[str, None] = {}
        for each in excepting:
            above = [other for other in self.in_force.voided_by(each) if other in self.passages]
            if not any(repeals(self.passages[other].text) for other in above):
                found |= dict.fromkeys([*above, each])
        return [self.passages[each] for each in found]


def items_naming(document: str, items: Iterable[Passage]) -> Iterator[Passage]:
    """Yield the items of a list that name a document, given by its title."""
    return (each for each in items if _plain(document) in _plain(each.text))


def _plain(text: str) -> str:
    return " ".join(visible(text).split()).casefold()
