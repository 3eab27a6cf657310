"""Subordinate clauses of a sentence: on what condition, and with what exception."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["condition", "exception"]

_MODAL = (
    r"(?:must|shall|may|should|ought|can|cannot|will|need|needs|has|have|is|are|was|were|does|do|means|applies|apply)"
)
_OPENING = re.compile(
    r"\b(?:(?P<exception>unless|except|save (?:for|as|that|where|to|in)|other than|apart from|excluding"
    r"|with the exception of)"
    r"|(?P<condition>(?<!as )if|where|when|whenever|before|after|once|until|while|upon|provided that"
    r"|in the event (?:of|that)|as long as|so long as|to the extent(?: that)?|on condition that))\b",
    re.I,
)
_MAIN = re.compile(
    r", (?:then )?(?:(?:the|an?|it|they|he|she|we|you|any|each|every|no|such|that|this|these|those|all|both"
    r"|either|neither|its|their|his|one|there|nothing)\b|(?-i:[A-Z]))"
    rf"[^,;:]{{0,160}}?\b{_MODAL}\b",
    re.I,
)
"""A comma and the subject and verb of a main clause."""
_FINITE = re.compile(
    r"\b(?:must|shall|may|should|ought to|need not|has to|have to|needs? to"
    r"|(?:is|are) (?:not |also )?(?:required|obliged|permitted|prohibited|forbidden|entitled|allowed|responsible"
    r"|to)\b)",
    re.I,
)
"""A verb that states a duty or a permission."""
_RESUMED = re.compile(rf", (?:and|or|but) (?:[^,;:]{{0,80}}? )?{_MODAL}\b", re.I)
_COMMA = re.compile(r",(?= |$)")
_STOP = re.compile(r"[;.](?= |$)|\)")
_PARENTHESIS = re.compile(r"\)")
_LEAD = re.compile(r"(?:[^:]*: )?(?:\(?\w{1,5}[.)] )?(?:(?:however|but|accordingly|and|or),? )?", re.I)
"""What may stand before a clause that opens the sentence: a lead-in, a marker, a connective."""
_HELD_OPEN = re.compile(
    r"\b(?:must|shall|may|should|and|or|that|who|which|but|to|not|is|are|has|have),? ?$", re.I
)
_DEADLINE_BEFORE = re.compile(r"\b(?:days?|weeks?|months?|years?|hours?|minutes?|quarters?|soon) $", re.I)


@dataclass(frozen=True)
class Clause:
    """A subordinate clause, text[start:end]."""

    kind: Kind
    start: int
    end: int


def clauses(sentence: str) -> Iterator[Clause]:
    """Yield the clauses of a sentence that say when it applies or does not; none overlaps another."""
    lead = _LEAD.match(sentence)
    opening = lead.end() if lead else 0
    verb = _FINITE.search(sentence)
    first_verb = verb.start() if verb else len(sentence)
    end = 0
    for match in _OPENING.finditer(sentence):
        start = match.start()
        if start < end or _DEADLINE_BEFORE.search(sentence, max(0, start - 9), start):
            continue
        kind: Kind = "exception" if match["exception"] else "condition"
        end = _end(sentence, match.end(), opened=start in (0, opening), governed=start > first_verb)
        before = sentence[max(0, start - 8) : start]
        if start and before.endswith("("):
            closed = _PARENTHESIS.search(sentence, match.end())
            end = closed.start() if closed else end
        elif before.endswith(", ") and _HELD_OPEN.search(before[:-2]):
            comma = _COMMA.search(sentence, match.end())
            end = comma.start() if comma else end
        if end > match.end():
            yield Clause(kind, start, end)
        else:
            end = match.end()


def _end(sentence: str, inside: int, *, opened: bool, governed: bool) -> int:
    """Return where the clause ends whose first words end at `inside`.

    `opened`: it opens the sentence; `governed`: the verb of the main clause stands before it.
    """
    if opened:
        main = _MAIN.search(sentence, inside) or _COMMA.search(sentence, inside)
        if main:
            return main.start()
        return inside if _FINITE.search(sentence, inside) else _stop(sentence, inside)
    stop = _stop(sentence, inside)
    if governed:
        resumed = _RESUMED.search(sentence, inside, stop)
        return resumed.start() if resumed else stop
    ends = (pattern.search(sentence, inside, stop) for pattern in (_COMMA, _FINITE))
    end = min((match.start() for match in ends if match), default=stop)
    return end - (sentence[end - 1] == " ")


def _stop(sentence: str, inside: int) -> int:
    """Return the end of the sentence, or of the item that the clause is part of."""
    stop = _STOP.search(sentence, inside)
    if stop is None or (":" in sentence[inside : stop.start()] and stop[0] == ";"):
        return len(sentence.rstrip(" .;"))
    return stop.start()
