"""What a language model replied, read as claims; nothing in it is trusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rulerank.answer.claims import ABSTENTION, Claim
from rulerank.answer.model.citations import cited
from rulerank.answer.model.lead_ins import claim_lines
from rulerank.answer.model.lines import item, lines_of, plain
from rulerank.answer.model.sources import marks, rule_ids
from rulerank.console import printable
from rulerank.llm.thoughts import without_thoughts
from rulerank.obligations import Modality, statements
from rulerank.passages import Passage
from rulerank.text import normalise

LONGEST = 200_000
"""The number of characters of a reply that are read; a server may ignore the bound it was given."""


@dataclass(frozen=True)
class Reading:
    """The claims of a reply, and what is wrong with it, None if nothing is.

    A claim that cites a passage that was not shown is kept: verification refuses it, and it is counted.
    """

    claims: tuple[Claim, ...] = ()
    fault: str | None = None


def read_list(reply: str, sources: Sequence[Passage]) -> Reading:
    """Read one claim per line or list item, each with its marks; text around them is left out."""
    text = printable(without_thoughts(reply[:LONGEST])).strip()
    known = marks(sources)
    claims = _merged(
        (line.words, [_id(f"P{number}", known, sources) for number in line.numbers])
        for line in claim_lines(list(lines_of(text, len(sources))))
        if not _abstains(line.words)
    )
    if any(claim.passages for claim in claims) or (not claims and _abstains(text)):
        return Reading(claims)
    return Reading(claims, "no line of it states a rule and ends in the mark of a source, such as [P1]")


def read_per_rule(reply: str, sources: Sequence[Passage]) -> Reading:
    """Read an object that maps the id of each rule to its claims."""
    text = without_thoughts(reply[:LONGEST])
    if _abstains(text):
        return Reading()
    try:
        said = json.loads(text[text.find("{") : text.rfind("}") + 1], object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return Reading(fault="it is not one JSON object")
    known = rule_ids(sources)
    stated: list[tuple[str, list[str]]] = []
    faults = []
    for rule, claims in said.items:
        if rule not in known:
            faults.append(f"{printable(rule)[:40]!r} is no source; the sources are {', '.join(known)}")
        if not isinstance(claims, list) or not all(isinstance(each, str) for each in claims):
            faults.append(f"the value of {printable(rule)[:40]!r} is not a list of strings")
            continue
        words = (plain(cited(printable(each), len(sources)).words) for each in claims)
        lines = claim_lines([item(each) for each in words if each])
        passage_id = _id(rule, known, sources)
        stated.extend((line.words, [passage_id]) for line in lines if not _abstains(line.words))
    return Reading(_merged(stated), next(iter(faults), None))


def per_rule_schema(sources: Sequence[Passage]) -> dict[str, Any]:
    """Return the JSON schema of a per-rule answer: its keys are the ids of all rules and no others.

    They are the properties of a closed object: few endpoints enforce an enumeration of `propertyNames`.
    """
    claims = {"type": "array", "items": {"type": "string"}}
    rules = rule_ids(sources)
    return {
        "type": "object",
        "properties": dict.fromkeys(rules, claims),
        "required": rules,
        "additionalProperties": False,
    }


class _Pairs:
    """A JSON object in which a key may occur twice."""

    def __init__(self, items: list[tuple[str, Any]]) -> None:
        self.items = items


def _id(name: str, names: Sequence[str], sources: Sequence[Passage]) -> str:
    known = dict(zip(names, sources, strict=True))
    return known[name].passage_id if name in known else f"{printable(name)[:40]} (of {len(sources)} sources)"


def _merged(stated: Iterable[tuple[str, list[str]]]) -> tuple[Claim, ...]:
    """Make one claim of each text; a repeated text cites everything that its copies cite."""
    texts: dict[str, tuple[str, dict[str, None]]] = {}
    for words, passages in stated:
        texts.setdefault(normalise(words), (words, {}))[1].update(dict.fromkeys(passages))
    return tuple(Claim(words, _kind(words), tuple(passages)) for words, passages in texts.values())


def _kind(words: str) -> Modality | None:
    """Return what a claim states, as the extractive answerer reads it."""
    return next((each.modality for each in statements(words) if each.modality), None)


def _abstains(text: str) -> bool:
    said = normalise(text).strip("-*.\"' ").replace("in the retrieved", "in retrieved")
    return said == normalise(ABSTENTION).strip(".")
