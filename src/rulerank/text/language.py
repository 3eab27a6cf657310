"""How a language words regulations: duties, definitions, exceptions, names of documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Duty = Literal["prohibition", "obligation", "recommendation", "permission"]


@dataclass(frozen=True)
class ChangeWords:
    """How a language words what changes another rule.

    Parameters
    ----------
    substitutions : tuple of pattern
        What puts words, its group `new`, in the place of others, its group `old`.
    new_alone : pattern or None
        What states new words, its group `new`, without the old ones.
    repeal : pattern
        What takes a rule out of force.
    suspension : pattern
        What keeps a rule out of force only as long as it stands itself.
    reviving : pattern
        What brings a repealed rule back.
    ended : pattern
        Words of an answer that tell of a repeal.
    change_exception : pattern
        When a change does not apply and the earlier words still hold.
    changing : pattern
        A sentence that changes something has one of these words.
    new_rule : pattern
        What the words of a new rule follow.
    aside : pattern
        What is no limit of a change: what a rule is about, after its number, and words in place of others.
    limit : pattern
        Where or to what a change is limited, in a sentence whose quotations are NUL characters.
    announcing : pattern or None
        A text that only announces changes, which stand elsewhere.
    one_place : pattern
        What tells that words are replaced in some of the places where they stand.
    rider : pattern or None
        What limits a change in another sentence; its group `of` is the number of the change's paragraph.
    saving : pattern or None
        What keeps a repealed rule in force in some cases; its group `of` is the rule's number, and `it` a
        pronoun for the rule, if given.
    limiting : pattern or None
        What says to what paragraphs of the same rule, its group `of`, do not apply; nothing if there is a
        group `other` before them. What is `done` counts only if `nothing` in them does it. Without
        lookarounds.
    former : pattern or None
        What a rule says that held before: "five years (formerly seven years)".

    """

    substitutions: tuple[re.Pattern[str], ...]
    new_alone: re.Pattern[str] | None
    repeal: re.Pattern[str]
    suspension: re.Pattern[str]
    reviving: re.Pattern[str]
    ended: re.Pattern[str]
    change_exception: re.Pattern[str]
    changing: re.Pattern[str]
    new_rule: re.Pattern[str]
    aside: re.Pattern[str]
    limit: re.Pattern[str]
    announcing: re.Pattern[str] | None
    one_place: re.Pattern[str]
    rider: re.Pattern[str] | None
    saving: re.Pattern[str] | None
    limiting: re.Pattern[str] | None
    former: re.Pattern[str] | None

    def announced(self, sentence: str) -> str:
        """Return what a sentence says before the words of a new rule."""
        new = self.new_rule.search(sentence)
        return sentence[: new.end()] if new else sentence


@dataclass(frozen=True)
class Language:
    """The wording of the regulations of one language.

    Parameters
    ----------
    modals : tuple of (Duty, pattern)
        Patterns that state a duty, strongest first.
    definition, form, exception : pattern
        What marks a passage that defines, that prescribes a form, that makes an exception.
    denial : pattern
        What denies what follows it or precedes it; a ban is among `modals`.
    scope : pattern
        A sentence that says to what a rule applies, or not, how long, or what other rule it is read with.
    tiers : tuple of (int, pattern)
        Names of documents of each tier, in the order in which the patterns are tried.
    levels : tuple of str
        Names of the tiers 1 to 5.
    changes : ChangeWords
        What changes a rule.
    grammar : str
        The citation grammar for its regulations if none is named.

    """

    modals: tuple[tuple[Duty, re.Pattern[str]], ...]
    definition: re.Pattern[str]
    form: re.Pattern[str]
    exception: re.Pattern[str]
    denial: re.Pattern[str]
    scope: re.Pattern[str]
    tiers: tuple[tuple[int, re.Pattern[str]], ...]
    levels: tuple[str, str, str, str, str]
    changes: ChangeWords
    grammar: str
