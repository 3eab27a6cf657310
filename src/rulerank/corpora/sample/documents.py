"""The rulebook: what every provision says, and how it cites the others."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from rulerank.corpora.sample.layout import Place, arrange
from rulerank.corpora.sample.references import scope
from rulerank.corpora.sample.riders import Chain, Rider
from rulerank.corpora.sample.wording import Wording
from rulerank.corpora.sample.world import Key, Regime

_SHARE_WITH_TAIL = 0.5


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


class Rulebook:
    """The documents of the authority.

    Parameters
    ----------
    regimes : sequence of Regime
        What is regulated.
    chains : mapping of Key to Chain
        The riders of the provisions that have any.
    documents, aspects, facts : mapping
        The vocabulary files of those names.
    wording : Wording
        The language.
    rng : random.Random
        Chooses headings and wordings.

    """

    def __init__(
        self,
        regimes: Sequence[Regime],
        chains: Mapping[Key, Chain],
        documents: Mapping[str, Any],
        aspects: Mapping[str, Any],
        facts: Mapping[str, Any],
        wording: Wording,
        rng: random.Random,
    ) -> None:
        self.regimes = {regime.key: regime for regime in regimes}
        self._chains = chains
        self._documents = documents
        self._aspects = aspects
        self._wording = wording
        self._rng = rng
        # Every place is settled before anything is worded: provisions cite later ones too.
        riders = [rider for chain in chains.values() for rider in chain.riders]
        arranged = {
            key: arrange(key, spec, regimes, riders, facts, wording, rng) for key, spec in documents.items()
        }
        self._places = {
            place.key: place for places in arranged.values() for place in places if place.key is not None
        }
        self.passages = [
            self._word(place, position)
            for places in arranged.values()
            for position, place in enumerate(places, start=1)
        ]

    def passage_id(self, key: Key) -> str:
        """Return the id of the passage that states the provision `key`."""
        return self._places[key].passage_id

    def cite(self, source: Place, key: Key) -> str:
        """Return the plain citation of provision `key` as it reads in `source`'s document."""
        target = self._places[key]
        own = target.document_id == source.document_id
        return self._wording.cited(target.section, self._documents[target.document_id], own=own)

    def riders(self, keys: Iterable[Key]) -> list[Key]:
        """Return the riders to which the provisions `keys` are subject."""
        return [rider.key for key in keys if key in self._chains for rider in self._chains[key].riders]

    def _word(self, place: Place, position: int) -> Passage:
        spec = self._documents[place.document_id]
        kind, text, matter = "heading", "", None
        effective_from: date = spec["from"]
        if place.general is not None:
            kind, text = place.general["kind"], place.general["text"]
        elif place.rider is not None:
            kind, text = "rule", self._rider(place, place.rider)
        elif place.key is not None:
            regime, aspect = self.regimes[place.key[0]], place.key[1]
            kind = self._aspects[aspect]["kind"]
            matter = scope(regime, self._aspects, aspect)
            citations = _Citations(self, place, regime)
            text = self._template(aspect).format(cite=citations, **regime.facts_for(aspect))
            text = self._wording.finished(text + self._tail(place, place.key))
            if aspect in ("succession", "holdover"):
                effective_from = datetime.strptime(regime.facts["renewed"], self._wording.day).date()
        return Passage(
            passage_id=place.passage_id,
            document_id=place.document_id,
            section=place.section,
            title=place.heading,
            text=text,
            tier=spec["tier"],
            kind=kind,
            position=position,
            effective_from=effective_from,
            scope=matter,
        )

    def _template(self, aspect: str) -> str:
        text: str = self._rng.choice(self._aspects[aspect]["texts"])
        tails = self._aspects[aspect].get("tails", ())
        return (
            f"{text} {self._rng.choice(tails)}" if tails and self._rng.random() < _SHARE_WITH_TAIL else text
        )

    def _tail(self, place: Place, key: Key) -> str:
        """Return what provision `key` says about its riders."""
        if key not in self._chains:
            return ""
        chain = self._chains[key]
        return " " + chain.tail.format(cite=self.cite(place, chain.riders[0].key))

    def _rider(self, place: Place, rider: Rider) -> str:
        subject = self._places[rider.subject]
        following = self.cite(place, rider.following) if rider.following else ""
        document = self._documents[subject.document_id]
        code = self._wording.code(subject.section, subject.document_id, document)
        return self._wording.finished(rider.text.format(cite=following, code=code))


class _Citations:
    """Turns `{cite:aspect}` in a template into the citation of that provision."""

    def __init__(self, rulebook: Rulebook, source: Place, regime: Regime) -> None:
        self._rulebook = rulebook
        self._source = source
        self._regime = regime

    def __format__(self, aspect: str) -> str:
        name = self._regime.aliases.get(aspect, aspect)
        return self._rulebook.cite(self._source, (self._regime.key, name))
