"""What can be asked of a rulebook: one facet per provision that someone has a question about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulerank.corpora.sample.references import matter
from rulerank.corpora.sample.world import Key, Regime


@dataclass(frozen=True)
class Facet:
    """One thing that can be asked of a regime."""

    key: Key
    asks: Sequence[str]
    type: str = ""
    subject: str = ""
    theme: str = ""
    conditional: bool = False
    institution: bool = False


def regime_facets(regime: Regime, aspects: Mapping[str, Any]) -> list[Facet]:
    """Return what can be asked of a regime; `aspects` is the vocabulary file of that name."""
    return [
        _facet(regime, aspects, name)
        for name, aspect in aspects.items()
        if name in regime.aspects and "asks" in aspect
    ]


def _facet(regime: Regime, aspects: Mapping[str, Any], name: str) -> Facet:
    # A change belongs with the provision it changes.
    subject, aspect = matter(regime, aspects, name) or name, aspects[name]
    return Facet(
        key=(regime.key, name),
        asks=aspect["asks"],
        type=aspect.get("type", ""),
        subject=subject,
        theme=aspects[subject].get("theme", ""),
        conditional=aspect.get("conditional", False),
        institution=aspect.get("institution", False),
    )


def general_facets(documents: Mapping[str, Any]) -> list[Facet]:
    """Return what can be asked of the general provisions; `documents` is the vocabulary file of that name."""
    return [
        Facet(key=("", entry["key"]), asks=entry["asks"], theme=entry.get("theme", ""))
        for spec in documents.values()
        for chapter in spec["chapters"]
        for entry in chapter.get("general", ())
        if isinstance(entry, dict) and "asks" in entry
    ]


def fitting(general: Sequence[Facet], regime: Regime) -> list[Facet]:
    """Return the general facets that fit a regime: of the two electronic counters, its own."""
    other = "electronic-1" if regime.domain in ("cold", "dangerous") else "electronic-2"
    return [facet for facet in general if facet.key[1] != other]
