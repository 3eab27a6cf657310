"""What a sentence states: what one must, must not, should or may do, or what a term means.

`rulerank.text.modality` is what features count and keeps its results. This module also finds duties in other
words and reads the main clause: "the Regulator may, if a fee must be paid, waive it" is a permission.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rulerank.obligations.clauses import clauses
from rulerank.obligations.definitions import DEFINITION
from rulerank.obligations.korean import ASIDE
from rulerank.obligations.korean import STATED as STATED_IN_KOREAN
from rulerank.obligations.readable import lowered
from rulerank.obligations.relative import RELATIVE, SIGNPOST
from rulerank.obligations.wording import (
    AIM,
    CANNOT,
    CIRCUMSTANCE,
    DECLARED,
    FREED,
    MONTH_OF_MAY,
    POSSIBLE,
    STATED,
    Modality,
)
from rulerank.text import ENGLISH, KOREAN, Language, language_of

DUTIES: frozenset[str] = frozenset({"prohibition", "obligation", "recommendation"})
"""The modalities that ask something of somebody."""

LONGEST = 5_000
"""Characters of a statement in which clauses and parts are searched."""

_BE_TO = re.compile(r"(?:is|are)(?: \w+)? to")


@dataclass(frozen=True)
class Modal:
    """What a sentence states, and the words that say so: sentence[start:end]."""

    modality: Modality
    start: int
    end: int


@lru_cache(maxsize=256)
def modal(sentence: str) -> Modal | None:
    """Return the strongest thing that the main clause of a sentence states.

    Parameters
    ----------
    sentence : str
        One sentence, or a lead-in and its item, white space collapsed.

    Returns
    -------
    Modal or None
        The first of these that is stated: a definition, a prohibition, an obligation, a recommendation, a
        permission. If the main clause has no modal words, a duty in the other clauses counts, unless the
        sentence tells what may happen or what a chapter contains; None if there is none. Clauses are
        recognised in English only.

    """
    language = language_of(sentence)
    if language is not ENGLISH:
        return _in(language, sentence[:LONGEST])
    if defined := DEFINITION.match(sentence[:LONGEST]):
        return Modal("definition", *defined.span())
    lower = lowered(MONTH_OF_MAY.sub(_blotted, sentence) if "May" in sentence else sentence)
    main = _main_clause(sentence, lower)
    stated = _stated(main)
    if stated is None or stated.modality == "permission":
        stated = _denied(main[: stated.start] if stated else main) or stated
    if stated is None and main != lower and not (POSSIBLE.search(lower) or SIGNPOST.match(lower)):
        within = _stated(lower)
        return within if within and within.modality in DUTIES else None
    return stated


def _denied(main: str) -> Modal | None:
    """Return what a "cannot" forbids."""
    denied = CANNOT.search(main)
    if denied is None or CIRCUMSTANCE.search(main, 0, denied.start()):
        return None
    return Modal("prohibition", *denied.span())


def _in(language: Language, sentence: str) -> Modal | None:
    """Return what a sentence of another language states, by that language's own words alone."""
    if defined := language.definition.search(sentence):
        return Modal("definition", *defined.span())
    further = STATED_IN_KOREAN if language is KOREAN else {}
    main = ASIDE.sub(_blotted, sentence) if language is KOREAN else sentence
    stated = (
        (name, pattern.search(main) or (name in further and further[name].search(main)))
        for name, pattern in language.modals
    )
    return next((Modal(name, *match.span()) for name, match in stated if match), None)


def _main_clause(sentence: str, lower: str) -> str:
    """Return the sentence in lower case with its subordinate clauses blotted out."""
    main: list[str] = []
    end = 0
    for clause in clauses(sentence[:LONGEST]):
        main += lower[end : clause.start], "\0" * (clause.end - clause.start)
        end = clause.end
    return RELATIVE.sub(_blotted, "".join([*main, lower[end:]]))


def _stated(lower: str) -> Modal | None:
    """Return the strongest modal words in a sentence in lower case."""
    rest = DECLARED.sub(_blotted, lower)
    freed = FREED.search(rest)
    if freed:
        rest = FREED.sub(_blotted, rest)
    for modality, pattern in STATED.items():
        for match in pattern.finditer(rest):
            if not _is_aim(rest, match):
                return Modal(modality, *match.span())
    return Modal("permission", *freed.span()) if freed else None


def _is_aim(lower: str, match: re.Match[str]) -> bool:
    """Whether "is to" states the purpose of something."""
    ahead = lower[max(0, match.start() - 150) : match.start()]
    return bool(_BE_TO.fullmatch(match[0]) and AIM.search(ahead))


def _blotted(match: re.Match[str]) -> str:
    """Return as many characters as were matched, of a kind that no pattern matches."""
    return "\0" * len(match[0])
