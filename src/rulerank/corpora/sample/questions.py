"""Questions about the rulebook, in the words of those it binds, each with its whole reference set."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, product
from typing import Any

from rulerank.corpora.sample.difficulty import LEVELS, Level, Properties, level
from rulerank.corpora.sample.documents import Key, Rulebook, sentence_case
from rulerank.corpora.sample.world import Regime

TYPES = ("duty", "deadline", "exception", "procedure", "definition", "form", "authority")
DIRECT, SUPPORTING = 2, 1
_ATTEMPTS = 400
_FORMALITY_DOING = (0.76, 0.12, 0.12)
_EXTRA_FACETS: dict[Level, tuple[int, ...]] = {"L1": (0,), "L2": (0, 0, 1), "L3": (0, 1, 1, 2), "L4": (0, 1, 1, 2)}
_PRELUDES = ("We are new here.", "A customer raised this.", "The foreman and the office disagree.", "I have two minutes.")
_JOINED = ("what", "which", "how", "does", "do", "is", "can", "must", "when", "who", "where", "may", "would")


@dataclass(frozen=True)
class Question:
    """A question, what it asks about, and every passage its answer rests on with its grade."""

    text: str
    type: str
    level: Level
    cluster: str
    references: dict[str, int]


@dataclass(frozen=True)
class _Facet:
    """One thing that can be asked of a regime."""

    key: Key
    asks: Sequence[str]
    type: str = ""
    cluster: str = ""
    conditional: bool = False
    institution: bool = False


class Questioner:
    """Makes questions about the regimes of a rulebook.

    Parameters
    ----------
    rulebook : Rulebook
        The passages asked about.
    aspects, documents : mapping
        The vocabulary files of those names.
    rng : random.Random
        Settles what is asked and how.

    """

    def __init__(
        self, rulebook: Rulebook, aspects: Mapping[str, Any], documents: Mapping[str, Any], rng: random.Random
    ) -> None:
        self._rulebook = rulebook
        self._aspects = aspects
        self._rng = rng
        self._general = _general_facets(documents)
        self._facets = {key: self._facets_of(regime) for key, regime in rulebook.regimes.items()}

    def make(self, count: int) -> list[Question]:
        """Return `count` questions, spread evenly over every pair of type and level."""
        cells = list(product(TYPES, LEVELS))
        self._rng.shuffle(cells)
        questions: dict[str, Question] = {}
        for kind, wanted in cycle(cells):
            if len(questions) == count:
                break
            question = self._new(kind, wanted, questions)
            questions[question.text] = question
        return list(questions.values())

    def _new(self, kind: str, wanted: Level, known: Mapping[str, Question]) -> Question:
        for _ in range(_ATTEMPTS):
            question = self._compose(kind, wanted)
            if question.level == wanted and question.text not in known:
                return question
        raise ValueError(f"no further {wanted} question on a {kind} can be made; ask for fewer questions")

    def _compose(self, kind: str, wanted: Level) -> Question:
        rng = self._rng
        regime = rng.choice(list(self._rulebook.regimes.values()))
        primaries = [facet for facet in self._facets[regime.key] if facet.type == kind]
        while not primaries:
            regime = rng.choice(list(self._rulebook.regimes.values()))
            primaries = [facet for facet in self._facets[regime.key] if facet.type == kind]
        primary = rng.choice(primaries)
        others = [
            facet
            for facet in (*self._facets[regime.key], *self._general_of(regime))
            if facet.cluster in ("", primary.cluster) and facet.key != primary.key
        ]
        facets = [primary, *rng.sample(others, k=min(len(others), rng.choice(_EXTRA_FACETS[wanted])))]
        references = self._references(regime, facets)
        return Question(
            text=self._word(regime, facets),
            type=kind,
            level=level(self._properties(facets, references)),
            cluster=f"{regime.key}/{primary.cluster}",
            references=references,
        )

    def _properties(self, facets: Sequence[_Facet], references: Mapping[str, int]) -> Properties:
        return Properties(
            references=len(references),
            documents=len({passage_id.split("-", 1)[0] for passage_id in references}),
            facets=len(facets),
            institutions=1 + sum(facet.institution for facet in facets),
            conditional=any(facet.conditional for facet in facets),
            sanction=any(facet.key[1] == "offence" for facet in facets),
        )

    def _references(self, regime: Regime, facets: Sequence[_Facet]) -> dict[str, int]:
        grades: dict[str, int] = {}
        for facet in facets:
            for key, grade in self._reference_set(regime, facet.key):
                passage_id = self._rulebook.passage_id(key)
                grades[passage_id] = max(grade, grades.get(passage_id, 0))
        return grades

    def _reference_set(self, regime: Regime, key: Key) -> list[tuple[Key, int]]:
        """Return the provision, what has superseded it, and what it needs to be understood."""
        found = [(key, DIRECT)]
        if not key[0]:
            return found
        aspect = key[1]
        changes = [name for name in _changes(regime, aspect) if name in regime.aspects]
        found += [((regime.key, name), SUPPORTING) for name in changes[:-1]]
        found += [((regime.key, name), DIRECT) for name in changes[-1:]]
        for need in self._aspects[aspect].get("needs", ()):
            if need == "penalty":
                found.append((("", f"penalty-{regime.facts['class']}"), SUPPORTING))
            else:
                found.append(((regime.key, regime.aliases.get(need, need)), SUPPORTING))
        return found

    def _word(self, regime: Regime, facets: Sequence[_Facet]) -> str:
        rng = self._rng
        facts = regime.facts | {"covers": regime.facts[f"covers_{rng.randrange(2)}"]}
        facts["doing"] = regime.facts[f"doing_{rng.choices((0, 1, 2), _FORMALITY_DOING)[0]}"]
        facts["paper"] = regime.facts[f"paper_{rng.choices((2, 0, 1), _FORMALITY_DOING)[0]}"]
        parts = []
        draw = rng.random()
        if draw < 0.35:
            parts.append(regime.facts[f"opener_{rng.randrange(2)}"])
        elif draw < 0.45:
            parts.append(rng.choice(_PRELUDES))
        for number, facet in enumerate(facets):
            own = facts | regime.own.get(facet.key[1], {})
            # A fact can itself speak of `{doing}` or `{paper}`.
            ask = rng.choice(facet.asks).format(**own).format(**own)
            if number and ask.split(" ", 1)[0].lower() in _JOINED and rng.random() < 0.5:
                ask = f"and {ask[0].lower()}{ask[1:]}"
            parts.append(ask)
        return sentence_case(" ".join(parts))

    def _facets_of(self, regime: Regime) -> list[_Facet]:
        return [
            _Facet(
                key=(regime.key, name),
                asks=aspect["asks"],
                type=aspect.get("type", ""),
                cluster=aspect.get("cluster") or self._cluster_of_change(regime, name),
                conditional=aspect.get("conditional", False),
                institution=aspect.get("institution", False),
            )
            for name, aspect in self._aspects.items()
            if name in regime.aspects and "asks" in aspect
        ]

    def _cluster_of_change(self, regime: Regime, name: str) -> str:
        role = {
            "amendment": "amended-target",
            "reamendment": "amended-target",
            "succession": "successor-target",
            "holdover": "successor-target",
        }.get(name)
        return self._aspects[regime.aliases[role]]["cluster"] if role else ""

    def _general_of(self, regime: Regime) -> list[_Facet]:
        """Return the general facets that fit: of the two electronic counters, the regime's own."""
        other = "electronic-1" if regime.domain in ("cold", "dangerous") else "electronic-2"
        return [facet for facet in self._general if facet.key[1] != other]


def _general_facets(documents: Mapping[str, Any]) -> list[_Facet]:
    return [
        _Facet(key=("", entry["key"]), asks=entry["asks"], cluster=entry.get("cluster", ""))
        for spec in documents.values()
        for chapter in spec["chapters"]
        for entry in chapter.get("general", ())
        if isinstance(entry, dict) and "asks" in entry
    ]


def _changes(regime: Regime, aspect: str) -> tuple[str, ...]:
    """Return the aspects that supersede `aspect`, the latest last."""
    if aspect == regime.aliases["amended-target"]:
        return "amendment", "reamendment"
    if aspect == "amendment":
        return ("reamendment",)
    if aspect == regime.aliases["successor-target"]:
        return ("succession",)
    return ()
