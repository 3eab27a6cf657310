"""What a provision rests on: what changes it, and the others that are needed to understand it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulerank.corpora.sample.world import Key, Regime

DIRECT, SUPPORTING = 2, 1


def reference_set(regime: Regime, aspects: Mapping[str, Any], key: Key) -> dict[Key, int]:
    """Return the whole reference set of a provision with the grade of each member.

    Parameters
    ----------
    regime : Regime
        The regime for which the provision is read.
    aspects : mapping
        The vocabulary file of that name.
    key : Key
        The provision: one of the regime's, or a general one, which needs no others.

    Returns
    -------
    dict of Key to int
        The provision itself, first, and the last change that replaced it (2), earlier changes, where changes
        do not apply, and what the provision relies on (1).

    """
    grades = {key: DIRECT}
    if not key[0]:
        return grades
    if changes := superseders(regime, aspects, key[1]):
        grades[regime.key, changes[-1]] = DIRECT
    needed = [_needed(regime, need) for need in aspects[key[1]].get("needs", ())]
    # What changes a rule belongs with it, wherever the rule is quoted.
    rules = [key[1], *(name for owner, name in needed if owner)]
    changing = [(regime.key, each) for rule in rules for each in _changing(regime, aspects, rule)]
    return grades | {each: SUPPORTING for each in (*needed, *changing) if each not in grades}


def _changing(regime: Regime, aspects: Mapping[str, Any], aspect: str) -> list[str]:
    """Return the aspects that change the matter of `aspect`, or say where it is not changed."""
    changed = matter(regime, aspects, aspect) or aspect
    return [name for name in aspects if name in regime.aspects and matter(regime, aspects, name) == changed]


def superseders(regime: Regime, aspects: Mapping[str, Any], aspect: str) -> list[str]:
    """Return the aspects that replace `aspect`, the one in force last."""
    names = list(aspects)
    return [
        name
        for name in names
        if name in regime.aspects
        and aspects[name].get("supersedes")
        and matter(regime, aspects, name) in (aspect, matter(regime, aspects, aspect))
        and (aspect == matter(regime, aspects, name) or names.index(name) > names.index(aspect))
    ]


def matter(regime: Regime, aspects: Mapping[str, Any], aspect: str) -> str | None:
    """Return the provision that `aspect` leaves, renews or amends; None if it does not."""
    role = aspects[aspect].get("matter")
    return regime.aliases[role] if role else None


def scope(regime: Regime, aspects: Mapping[str, Any], aspect: str) -> str | None:
    """Return the name that a changed provision and its changes have in common; None for all others."""
    subject = matter(regime, aspects, aspect) or (aspect if superseders(regime, aspects, aspect) else None)
    return f"{regime.key}/{subject}" if subject else None


def _needed(regime: Regime, need: str) -> Key:
    if need == "penalty":
        return "", f"penalty-{regime.facts['class']}"
    return regime.key, regime.aliases.get(need, need)
