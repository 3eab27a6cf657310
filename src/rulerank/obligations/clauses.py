"""Subordinate clauses of a sentence: its conditions and its exceptions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rulerank.obligations.readable import lowered

Kind = Literal["condition", "exception"]

VERB = (
    r"(?:must|shall|may|should|ought|can|cannot|will|needs?|has|have|is|are|was|were|does|do|means"
    r"|applies|apply)"
)
"""A verb that a clause of a regulation often has."""
_OPENING = re.compile(
    r"\b(?:(?P<exception>unless|except|save (?:for|as|that|where|to|in)|other than|apart from|excluding"
    r"|with the exception of)"
    r"|(?P<condition>(?<!as )if|where|when|whenever|before|after|once|until|while|upon|provided that"
    r"|in the event (?:of|that)|as long as|so long as|to the extent(?: that)?|on condition that))\b"
)
_MAIN = re.compile(
    r", (?:then )?(?:(?:the|an?|it|they|he|she|we|you|any|each|every|no|such|that|this|these|those|all|both"
    r"|either|neither|its|their|his|one|there|nothing)\b|(?-i:[A-Z]))"
    rf"[^,;:]{{0,160}}?\b{VERB}\b",
    re.I,
)
"""A comma and the subject and verb of a main clause."""
_FINITE = re.compile(
    r"\b(?:must|shall|may|should|ought to|need not|has to|have to|needs? to"
    r"|(?:is|are) (?:not |also )?(?:required|obliged|permitted|prohibited|forbidden|entitled|allowed"
    r"|responsible|to)\b)"
)
"""A verb that states a duty or a permission."""
_RESUMED = re.compile(
    rf", (?:and|or|but) (?:[^,;:]{{0,80}}? )?{VERB}\b| (?:and|or|but) (?:must|shall|may|should)\b"
)
_COMMA = re.compile(r",(?= |$)")
_STOP = re.compile(r"[;.](?= |$)|[()]")
_SHORT = re.compile(
    r" (?:relevant|reasonable|necessary|applicable|appropriate|possible|practicable|required|requested|any)"
    r"(?=[,:;.)]|$)"
)
_PARENTHESIS = re.compile(r"\)")
_LEAD = re.compile(r"(?:[^:]*: )?(?:\(?\w{1,5}[.)] )?(?:(?:however|but|accordingly|and|or),? )?")
"""What may precede a clause that opens the sentence: a lead-in, a marker, a connective."""
_HELD_OPEN = re.compile(r"\b(?:must|shall|may|should|and|or|that|who|which|but|to|not|is|are|has|have),? ?$")
_DEADLINE_BEFORE = re.compile(r"\b(?:days?|weeks?|months?|years?|hours?|minutes?|quarters?|soon) $")


@dataclass(frozen=True)
class Clause:
    """A subordinate clause, text[start:end]."""

    kind: Kind
    start: int
    end: int


@lru_cache(maxsize=256)
def clauses(sentence: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence that say when it applies or does not; none overlaps another."""
    return tuple(_clauses(sentence, lowered(sentence)))


def _clauses(sentence: str, lower: str) -> Iterator[Clause]:
    end = 0
    bounds: tuple[int, int] | None = None
    for match in _OPENING.finditer(lower):
        start = match.start()
        if start < end or _DEADLINE_BEFORE.search(lower, max(0, start - 9), start):
            continue
        opening, first_verb = bounds = bounds or _bounds(lower)
        end = _end(sentence, lower, match.end(), opened=start in (0, opening), governed=start > first_verb)
        before = lower[max(0, start - 8) : start]
        if before.endswith("("):
            end = _first(_PARENTHESIS, lower, match.end(), end)
        elif before.endswith(", ") and _HELD_OPEN.search(before[:-2]):
            end = _first(_COMMA, lower, match.end(), end)
        if end > match.end():
            yield Clause("exception" if match["exception"] else "condition", start, end)


def _bounds(lower: str) -> tuple[int, int]:
    """Return where the sentence begins after its lead-in, and where its first verb is."""
    lead, verb = _LEAD.match(lower), _FINITE.search(lower)
    return lead.end() if lead else 0, verb.start() if verb else len(lower)


def _first(pattern: re.Pattern[str], lower: str, inside: int, end: int) -> int:
    """Return where `pattern` first matches after `inside`, or `end`."""
    match = pattern.search(lower, inside)
    return match.start() if match else end


def _end(sentence: str, lower: str, inside: int, *, opened: bool, governed: bool) -> int:
    """Return where a clause ends; its first words end at `inside`.

    `opened`: the clause opens the sentence. `governed`: the verb of the main clause precedes it.
    """
    if short := _SHORT.match(lower, inside):
        return short.end()
    if opened:
        if main := _MAIN.search(sentence, inside):
            return main.start()
        end = _first(_COMMA, lower, inside, _stop(lower, inside))
        return inside if _FINITE.search(lower, inside, end) else end
    stop = _stop(lower, inside)
    if governed:
        resumed = _RESUMED.search(lower, inside, stop)
        return resumed.start() if resumed else stop
    ends = (pattern.search(lower, inside, stop) for pattern in (_COMMA, _FINITE))
    end = min((match.start() for match in ends if match), default=stop)
    return end - (lower[end - 1] == " ")


def _stop(lower: str, inside: int) -> int:
    """Return the end of the sentence, or of the item or the brackets that the clause is part of."""
    depth = 0
    for stop in _STOP.finditer(lower, inside):
        depth += {"(": 1, ")": -1}.get(stop[0], 0)
        listed = stop[0] == ";" and ":" in lower[inside : stop.start()]
        if depth < 0 or (stop[0] in ";." and not listed):
            return stop.start()
    return len(lower.rstrip(" .;"))
