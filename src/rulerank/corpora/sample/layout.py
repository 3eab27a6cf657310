"""The order of the rulebook: which heading or provision goes where, before anything is worded."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulerank.corpora.sample.riders import Rider
from rulerank.corpora.sample.wording import Wording
from rulerank.corpora.sample.world import Key, Regime

Number = tuple[str, ...]
"""Numbers of chapter, provisions within provisions and item; that of an item in brackets."""


@dataclass(frozen=True)
class Place:
    """A numbered place in a document and what is there.

    Parameters
    ----------
    document_id, section : str, optional
        The document, and the section id within it.
    key : Key, optional
        The provision at this place; none for a heading.
    heading : str, optional
        The heading at this place; empty for a provision.
    general : mapping, optional
        The entry of documents.yaml, for a provision that belongs to no regime.
    rider : Rider, optional
        The rider at this place.

    """

    document_id: str = ""
    section: str = ""
    key: Key | None = None
    heading: str = ""
    general: Mapping[str, Any] | None = None
    rider: Rider | None = None

    @property
    def passage_id(self) -> str:
        """The id of the passage at this place."""
        return f"{self.document_id}-{self.section}"


def arrange(
    document_id: str,
    spec: Mapping[str, Any],
    regimes: Sequence[Regime],
    riders: Sequence[Rider],
    facts: Mapping[str, Any],
    wording: Wording,
    rng: random.Random,
) -> list[Place]:
    """Return the places of one document in reading order.

    Parameters
    ----------
    document_id : str
        The document's id.
    spec : mapping
        Its entry in documents.yaml.
    regimes : sequence of Regime
        All regimes; those of the document's domains are in it.
    riders : sequence of Rider
        All riders; those of the document are in it, in this order.
    facts : mapping
        The vocabulary file of that name: the headings to choose from.
    wording : Wording
        Names the sections.
    rng : random.Random
        Chooses the section headings.

    """
    members = [regime for regime in regimes if regime.domain in spec["domains"]]
    own = [rider for rider in riders if rider.document_id == document_id]
    numbered = list(_numbered(spec, members, own, facts, rng))
    sections = wording.sections([number for number, _ in numbered])
    return [
        replace(place, document_id=document_id, section=section)
        for section, (_, place) in zip(sections, numbered, strict=True)
    ]


def _numbered(
    spec: Mapping[str, Any],
    regimes: Sequence[Regime],
    riders: Sequence[Rider],
    facts: Mapping[str, Any],
    rng: random.Random,
) -> Iterator[tuple[Number, Place]]:
    """Yield each place, still without a name, with its number."""
    number = 0
    for chapter in spec["chapters"]:
        for heading, inside in _chapters(chapter, regimes, facts["domains"]):
            number += 1
            yield (str(number),), Place(heading=heading)
            yield from _chapter((str(number),), chapter, inside, riders, facts["sections"], rng)


def _chapters(
    chapter: Mapping[str, Any], regimes: Sequence[Regime], domains: Mapping[str, str]
) -> Iterator[tuple[str, list[Regime]]]:
    match chapter.get("per"):
        case "regime":
            for regime in regimes:
                yield regime.facts["title"], [regime]
        case "domain":
            for domain, heading in domains.items():
                inside = [regime for regime in regimes if regime.domain == domain]
                if inside:
                    yield heading, inside
        case _:
            yield chapter["heading"], list(regimes)


def _chapter(
    number: Number,
    chapter: Mapping[str, Any],
    regimes: Sequence[Regime],
    riders: Sequence[Rider],
    headings: Mapping[str, Sequence[str]],
    rng: random.Random,
) -> Iterator[tuple[Number, Place]]:
    count = 0
    for entry in chapter.get("general", ()):
        count += 1
        general = {"kind": "text", "text": entry} if isinstance(entry, str) else entry
        yield (*number, str(count)), Place(key=("", general.get("key", "")), general=general)
    for regime in regimes:
        provisions = list(_provisions(number, count, regime, chapter.get("aspects", ())))
        count += sum(len(place) == len(number) + 1 for place, _ in provisions)
        yield from provisions
        for name, aspects in chapter.get("sections", {}).items():
            count += 1
            section = (*number, str(count))
            yield section, Place(heading=rng.choice(headings[name]))
            yield from _provisions(section, 0, regime, aspects)
    if chapter.get("riders"):
        for place, rider in enumerate(riders, start=count + 1):
            yield (*number, str(place)), Place(key=rider.key, rider=rider)


def _provisions(
    under: Number, count: int, regime: Regime, aspects: Sequence[str]
) -> Iterator[tuple[Number, Place]]:
    for aspect in aspects:
        if aspect not in regime.aspects:
            continue
        if aspect.startswith("item-"):
            number = (*under, str(count), f"({aspect[-1]})")
        else:
            count += 1
            number = (*under, str(count))
        yield number, Place(key=(regime.key, aspect))
