"""Whether the items of a list can be read one by one, and their lead-in without them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulerank.obligations.clauses import VERB
from rulerank.obligations.korean import TOGETHER
from rulerank.obligations.modality import modal

LONGEST_LEAD = 500
"""The longest lead-in, in characters, that is repeated for each item; else the items stay together."""

_OR = re.compile(r"\bor[;,]?$")
_CONDITION = (
    "if|where|when|whenever|once|until|provided that|(?<=, )provided|in the event that|to the extent that"
)
_FOLLOWING = r"\bfollowing (?:conditions|criteria|requirements)\b"
_OPEN_CONDITION = re.compile(
    rf"\b(?:{_CONDITION})\b(?:[^.;,]{{0,80}}|[^;,:]{{0,200}}{_FOLLOWING}[^.;,:—–]{{0,60}}[:—–-])$", re.I
)
_OPEN_EXCEPTION = re.compile(r"\b(?:unless|except|save|other than|excluding)\b[^.;,]{0,80}$", re.I)
_UNFINISHED = re.compile(
    r"\b(?:must|may|shall|should|can|could|cannot|will|not|never|only|to|that|from|is|are|be)[\s:：—–]*$",
    re.I,
)
_ALTERNATIVES = re.compile(
    r"\b(?:either|one of|one or more of|any of|at least one of|whichever)\b[^.;]{0,80}$", re.I
)

_TAKEN_TOGETHER = re.compile(
    r"\b(?:higher|highest|lower|lowest|greater|greatest|lesser|least|larger|largest|smaller|smallest|earlier"
    r"|earliest|later|latest|shorter|shortest|longer|longest|sum|total|aggregate|product|difference|average"
    r"|maximum|minimum) (?:of|between)\b[^.;,:]{0,60}[:—–-]?$",
    re.I,
)
"""A lead-in that makes one figure or day of all its items."""

_OF_ALL = re.compile(
    r"(?:, (?:in (?:each|either|both|all) cases?|(?:each|all|both) of which)|\brespectively)\b", re.I
)
"""Words of the last item about all of them."""

_OF_ITEMS = re.compile(
    rf"\b(?:{_CONDITION})"
    rf"(?P<subject>(?: (?!{VERB}\b|(?<!the )(?<!its )\w{{3,}}(?:s|ed)\b|applicable\b)[\w’'-]+){{0,4}})"
    r" ?[:—–-]$"
    rf"|{_FOLLOWING}(?! (?:\w+ )?(?:apply|are relevant)\b)",
    re.I,
)
"""A condition without a verb of its own, "if the activity:", or about what follows: items complete it."""

_OWN_SUBJECT = re.compile(
    r"(?:\(?\w{1,5}[.)] )?(?:the|an?|no|any|each|every|all|both|it|they|he|she|you|we|there)\b", re.I
)
"""An item that completes no subject: "until the day of sale: (a) the broker must hold the deposit"."""

_OPENING = re.compile(r"(?:^|[:;,—–] ?)(?:\(?\w{1,5}[.)] )?$|\binclud(?:es?|ing) $")
"""What precedes a clause that opens a sentence or an item, or is one of several: "cases include where:"."""

_ONLY = re.compile(r"\bonly\b")
_VERB = re.compile(rf"\b{VERB}\b")


def separable(lead: str, items: Sequence[str]) -> bool:
    """Whether each item of a list, read alone after its lead-in, says what the list says.

    Parameters
    ----------
    lead : str
        The lead-in, white space collapsed.
    items : sequence of str
        The items, each with what is below it; at least one.

    """
    if _OF_ALL.search(items[-1]) or len(lead) > LONGEST_LEAD or TOGETHER.search(lead):
        return False
    stated = modal(lead)
    modality = stated.modality if stated else None
    alternatives = any(_OR.search(item) for item in items)
    whole = (_ONLY, _OPEN_EXCEPTION, _TAKEN_TOGETHER)
    if modality == "definition" or any(pattern.search(lead) for pattern in whole):
        return False
    condition = _OPEN_CONDITION.search(lead, stated.end if stated else 0)
    if condition and (modality or _of_fact(lead, condition, items)):
        return alternatives
    return modality not in {"obligation", "recommendation"} or not (
        alternatives or _ALTERNATIVES.search(lead)
    )


def inseparable(lead: str, items: Sequence[str]) -> bool:
    """Whether a lead-in and items that are passages of their own may only be stated together.

    So may conditions of which one suffices: a reader of the lead-in alone would take "need not call if:" for
    "need not call".

    Parameters
    ----------
    lead, items : str, sequence of str
        As for `separable`.

    """
    conditions = open_ended(lead) and not all(modal(item) for item in items)
    return conditions or not separable(lead, items)


def open_ended(lead: str) -> bool:
    """Whether a lead-in ends in the beginning of a condition or an exception: "need not call if:"."""
    return bool(_OPEN_CONDITION.search(lead) or _OPEN_EXCEPTION.search(lead))


def unfinished(lead: str) -> bool:
    """Whether a lead-in breaks off before what it asks or says: "The master must:", "ensure that:"."""
    return bool(_UNFINISHED.search(lead))


def _of_fact(lead: str, condition: re.Match[str], items: Sequence[str]) -> bool:
    """Whether conditions in a list are those of a fact: words about it precede them, and they are no rules.

    What an item states is no rule if it completes a clause: "A letter is valid if: (a) it cannot be amended".
    """
    begun = _VERB.search(lead, 0, condition.start())
    opening = _OPENING.search(lead, 0, condition.start()) and not condition[0].lower().startswith("provided")
    completed = not opening and _OF_ITEMS.search(lead, condition.start())
    if completed and completed["subject"] and _OWN_SUBJECT.match(items[0]):
        completed = None
    return bool(completed or (begun and not any(modal(item) for item in items)))
