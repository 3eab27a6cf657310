"""The invented world: the regimes of a harbour authority, and what is drawn for each."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulerank.corpora.sample.wording import WORDINGS, Language, Wording, vocabulary

_SHARE_OF_OPTIONAL_ASPECTS = 0.66

Facts = dict[str, str]

Key = tuple[str, str]
"""A provision: its regime (empty for general ones) and its aspect, or the general provision's own key."""


@dataclass(frozen=True)
class Regime:
    """One regulated activity.

    Parameters
    ----------
    key, domain : str
        Its name, and the part of the rulebook it belongs to.
    facts : dict of str to str
        What a text or a question can say about it, by slot name.
    own : dict of str to dict
        Facts that differ between aspects: the circumstance, the duty.
    aspects : frozenset of str
        What is laid down about it; membership only, never iterated.
    aliases : dict of str to str
        The aspects on which another one depends, by role: `amended-target`, `successor-target`.

    """

    key: str
    domain: str
    facts: Facts
    own: dict[str, Facts]
    aspects: frozenset[str]
    aliases: dict[str, str]

    def facts_for(self, aspect: str) -> Facts:
        """Return every fact that a text on `aspect` can use."""
        return self.facts | self.own.get(aspect, {})


def draw_regimes(rng: random.Random, aspects: Mapping[str, Any], language: Language) -> list[Regime]:
    """Return the regimes of all domains, with everything that is drawn."""
    facts = vocabulary(language, "facts")
    return [
        _draw(rng, key, domain, words, facts, aspects, WORDINGS[language])
        for domain in facts["domains"]
        for key, words in vocabulary(language, f"regimes/{domain}").items()
    ]


def _draw(
    rng: random.Random,
    key: str,
    domain: str,
    words: Mapping[str, Any],
    facts: Mapping[str, Any],
    aspects: Mapping[str, Any],
    wording: Wording,
) -> Regime:
    known = _words(words, wording) | _exemptions(rng, words)
    for name in (
        "class",
        "lead",
        "urgent",
        "hours",
        "years",
        "interval",
        "validity",
        "saved",
        "renewed",
        "senior",
    ):
        known[name] = rng.choice(facts[name])
    duties = [_pair(duty) for duty in rng.sample(words["duties"], k=len(words["duties"]))]
    own = {f"item-{letter}": _named("duty", duty) for letter, duty in zip("abc", duties, strict=False)}
    known |= _named("extra", duties[3])
    for name, aspect in aspects.items():
        if aspect.get("conditional"):
            own[name] = _named("cond", _pair(rng.choice(words["conditions"])))
    present = {
        name
        for name, aspect in aspects.items()
        if aspect.get("always") or rng.random() < _SHARE_OF_OPTIONAL_ASPECTS
    }
    aliases = _draw_changes(rng, known, present, facts)
    return Regime(key, domain, known, own, frozenset(_closed(present, aspects, aliases)), aliases)


def _words(words: Mapping[str, Any], wording: Wording) -> Facts:
    known = {name: value for name, value in words.items() if isinstance(value, str) and " | " not in value}
    for name in ("excludes", "threshold", "record", "attachment"):
        known |= _named(name, _pair(words[name]))
    for name, slots in {
        "report": ("event", "event_lay", "officer"),
        "competence": ("person", "qualification", "person_lay"),
        "inspection": ("object", "tested", "object_lay"),
        "body": ("body", "concern", "body_lay"),
        "deem": ("deem", "deem_lay", "deem_if", "deem_if_lay"),
    }.items():
        known |= dict(zip(slots, words[name].split(" | "), strict=True))
    for name, step in zip(("intake", "visit", "closing"), words["steps"], strict=True):
        known |= _named(name, _pair(step))
    known["guidance_a"], known["guidance_b"] = words["guidance"]
    known |= wording.derived(known)
    spoken = {"doing": words["doing"], "paper": [known["the_instrument"], *words["paper"]]}
    for name, phrases in (spoken | {"opener": words["opener"], "covers": words["covers"]}).items():
        known |= {f"{name}_{number}": phrase for number, phrase in enumerate(phrases)}
    return known


def _exemptions(rng: random.Random, words: Mapping[str, Any]) -> Facts:
    known: Facts = {}
    for letter, exemption in zip("abc", rng.sample(words["exempt"], k=3), strict=True):
        known |= _named(f"exempt_{letter}", _pair(exemption))
    return known


def _draw_changes(
    rng: random.Random, known: Facts, present: set[str], facts: Mapping[str, Any]
) -> dict[str, str]:
    """Choose the period that a notice amends and the one that the rules themselves renew."""
    targets = [name for name in facts["periods"] if name in present]
    amended, renewed = rng.sample([name for name in targets if name != "validity"], k=2)
    if "validity" in targets and rng.random() < 1 / 3:
        amended = "validity"
    for target, prefix in ((amended, "period"), (renewed, "renewal")):
        fact = facts["periods"][target]["fact"]
        new, last = rng.sample([value for value in facts[fact] if value != known[fact]], k=2)
        known |= {f"{prefix}_old": known[fact], f"{prefix}_new": new, f"{prefix}_last": last}
    known["amended_lay"] = facts["periods"][amended]["lay"]
    known["successor_lay"] = facts["periods"][renewed]["lay"]
    return {"amended-target": amended, "successor-target": renewed}


def _closed(present: set[str], aspects: Mapping[str, Any], aliases: Mapping[str, str]) -> set[str]:
    """Leave out, in order, the aspects whose reference set would be incomplete."""
    kept: set[str] = set()
    # `penalty` is general; an aspect may rely on one that comes later in the file, if it is always there.
    certain = {name for name, aspect in aspects.items() if aspect.get("always")} | {"penalty"}
    for name, aspect in aspects.items():
        needs = [aliases.get(need, need) for need in aspect.get("needs", ())]
        if name in present and all(need in kept or need in certain for need in needs):
            kept.add(name)
    return kept


def _pair(text: str) -> tuple[str, str]:
    law, lay = text.split(" | ")
    return law, lay


def _named(name: str, pair: tuple[str, str]) -> Facts:
    return {name: pair[0], f"{name}_lay": pair[1]}
