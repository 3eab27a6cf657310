"""The rulebook: where every provision stands, how it is cited, and what it says."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rulerank.corpora.sample.world import Regime

Key = tuple[str, str]
"""A provision: the regime (empty for general ones) and the aspect, or the general provision's own key."""


@dataclass(frozen=True)
class Passage:
    """One heading or provision, as it is written to the corpus."""

    passage_id: str
    document_id: str
    section: str
    title: str
    text: str
    tier: int
    kind: str
    position: int
    effective_from: date
    scope: str | None


@dataclass(frozen=True)
class _Place:
    """Where something stands before it is worded."""

    document_id: str
    section: str
    key: Key | None = None
    heading: str = ""
    general: Mapping[str, Any] | None = None


class Rulebook:
    """The documents of the authority.

    Parameters
    ----------
    regimes : sequence of Regime
        What is regulated.
    documents, aspects, facts : mapping
        The vocabulary files of those names.
    rng : random.Random
        Settles headings and wordings.

    """

    def __init__(
        self,
        regimes: Sequence[Regime],
        documents: Mapping[str, Any],
        aspects: Mapping[str, Any],
        facts: Mapping[str, Any],
        rng: random.Random,
    ) -> None:
        self.regimes = {regime.key: regime for regime in regimes}
        self._documents = documents
        self._aspects = aspects
        self._facts = facts
        self._rng = rng
        places = [place for document_id in documents for place in self._arrange(document_id)]
        self._places = {place.key: place for place in places if place.key is not None}
        self.passages: list[Passage] = []
        counts = dict.fromkeys(documents, 0)
        for place in places:
            counts[place.document_id] += 1
            self.passages.append(self._word(place, counts[place.document_id]))

    def passage_id(self, key: Key) -> str:
        """Return the id of the passage that states the provision `key`."""
        return _passage_id(self._places[key])

    def _arrange(self, document_id: str) -> Iterator[_Place]:
        spec = self._documents[document_id]
        regimes = [regime for regime in self.regimes.values() if regime.domain in spec["domains"]]
        number = 0
        for chapter in spec["chapters"]:
            for heading, members in self._chapters(chapter, regimes):
                number += 1
                yield _Place(document_id, str(number), heading=heading)
                yield from self._chapter(document_id, str(number), chapter, members)

    def _chapters(
        self, chapter: Mapping[str, Any], regimes: Sequence[Regime]
    ) -> Iterator[tuple[str, list[Regime]]]:
        match chapter.get("per"):
            case "regime":
                for regime in regimes:
                    yield regime.facts["title"], [regime]
            case "domain":
                for domain, heading in self._facts["domains"].items():
                    members = [regime for regime in regimes if regime.domain == domain]
                    if members:
                        yield heading, members
            case _:
                yield chapter["heading"], list(regimes)

    def _chapter(
        self, document_id: str, number: str, chapter: Mapping[str, Any], regimes: Sequence[Regime]
    ) -> Iterator[_Place]:
        count = 0
        for entry in chapter.get("general", ()):
            count += 1
            general = {"kind": "text", "text": entry} if isinstance(entry, str) else entry
            yield _Place(document_id, f"{number}.{count}", ("", general.get("key", "")), general=general)
        for regime in regimes:
            provisions = list(self._numbered(document_id, number, count, regime, chapter.get("aspects", ())))
            count += len(provisions)
            yield from provisions
            for name, aspects in chapter.get("sections", {}).items():
                count += 1
                section = f"{number}.{count}"
                yield _Place(document_id, section, heading=self._rng.choice(self._facts["sections"][name]))
                yield from self._numbered(document_id, section, 0, regime, aspects)

    def _numbered(
        self, document_id: str, under: str, count: int, regime: Regime, aspects: Sequence[str]
    ) -> Iterator[_Place]:
        for aspect in aspects:
            if aspect not in regime.aspects:
                continue
            if aspect.startswith("item-"):
                section = f"{under}.{count}.({aspect[-1]})"
            else:
                count += 1
                section = f"{under}.{count}"
            yield _Place(document_id, section, (regime.key, aspect))

    def _word(self, place: _Place, position: int) -> Passage:
        spec = self._documents[place.document_id]
        kind, text, scope = "heading", "", None
        effective_from: date = spec["from"]
        if place.general is not None:
            kind, text = place.general["kind"], place.general["text"]
        elif place.key is not None:
            regime, aspect = self.regimes[place.key[0]], place.key[1]
            kind = self._aspects[aspect]["kind"]
            template = self._template(aspect)
            facts = regime.facts_for(aspect)
            text = sentence_case(template.format(cite=_Citations(self, place, regime), **facts))
            scope = _scope(regime, aspect)
            if aspect in ("succession", "holdover"):
                effective_from = datetime.strptime(regime.facts["renewed"], "%d %B %Y").date()  # noqa: DTZ007
        return Passage(
            passage_id=_passage_id(place),
            document_id=place.document_id,
            section=place.section,
            title=place.heading,
            text=text,
            tier=spec["tier"],
            kind=kind,
            position=position,
            effective_from=effective_from,
            scope=scope,
        )

    def _template(self, aspect: str) -> str:
        text: str = self._rng.choice(self._aspects[aspect]["texts"])
        tails = self._aspects[aspect].get("tails", ())
        return f"{text} {self._rng.choice(tails)}" if tails and self._rng.random() < 0.5 else text

    def cite(self, source: _Place, key: Key) -> str:
        """Return the plain citation of provision `key` as it reads in `source`'s document."""
        target = self._places[key]
        spec = self._documents[target.document_id]
        citation = f"{spec['unit']} {target.section}"
        return citation if target.document_id == source.document_id else f"{citation} of {spec['called']}"


class _Citations:
    """Makes `{cite:aspect}` in a template the citation of that provision."""

    def __init__(self, rulebook: Rulebook, source: _Place, regime: Regime) -> None:
        self._rulebook = rulebook
        self._source = source
        self._regime = regime

    def __format__(self, aspect: str) -> str:
        name = self._regime.aliases.get(aspect, aspect)
        return self._rulebook.cite(self._source, (self._regime.key, name))


def sentence_case(text: str) -> str:
    """Return `text` with a capital at the start of each sentence."""
    return re.sub(r"(?:^“?|(?<=[.?!] ))[a-z]", lambda match: match.group().upper(), text)


def _scope(regime: Regime, aspect: str) -> str | None:
    """Return what a changed provision and its changes have in common: the matter they settle."""
    role = {"amendment": "amended-target", "reamendment": "amended-target"}.get(aspect)
    role = role or {"succession": "successor-target", "holdover": "successor-target"}.get(aspect)
    if role:
        return f"{regime.key}/{regime.aliases[role]}"
    changed = (regime.aliases["amended-target"], "amendment"), (regime.aliases["successor-target"], "succession")
    matters = any(aspect == target and change in regime.aspects for target, change in changed)
    return f"{regime.key}/{aspect}" if matters else None


def _passage_id(place: _Place) -> str:
    return f"{place.document_id}-{place.section}"
