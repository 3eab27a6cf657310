"""Questions about the rulebook in the words of the people it binds, each with its whole reference set."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle, product

from rulerank.corpora.sample.asker import Asker
from rulerank.corpora.sample.difficulty import LEVELS, Level, Properties, level
from rulerank.corpora.sample.documents import Rulebook
from rulerank.corpora.sample.facets import Facet, fitting, general_facets, regime_facets
from rulerank.corpora.sample.references import SUPPORTING, reference_set
from rulerank.corpora.sample.wording import Language, vocabulary
from rulerank.corpora.sample.world import Key, Regime
from rulerank.errors import SettingsError

TYPES = ("duty", "deadline", "exception", "procedure", "definition", "form", "authority")
_ATTEMPTS = 2_000
_EXTRA_FACETS: dict[Level, tuple[int, ...]] = {
    "L1": (0,),
    "L2": (0, 0, 1),
    "L3": (0, 0, 1),
    "L4": (0, 0, 1),
}
_HIDDEN: tuple[Level, ...] = ("L3", "L4")
"""The levels whose reference sets hold riders; no other set does."""
_LOTS = 3
"""The lots of a general provision in the draw of further things to ask; other provisions have one."""


@dataclass(frozen=True)
class Question:
    """A question, what it asks about, and every passage that its answer rests on, with its grade.

    `hidden` counts those passages that only citations lead to.
    """

    text: str
    type: str
    level: Level
    cluster: str
    references: dict[str, int]
    hidden: int


class Questioner:
    """Makes questions about the regimes of a rulebook.

    Parameters
    ----------
    rulebook : Rulebook
        The passages asked about.
    language : {"english", "korean"}
        The language of the questions.
    rng : random.Random
        Chooses what is asked and how.

    """

    def __init__(self, rulebook: Rulebook, language: Language, rng: random.Random) -> None:
        self._rulebook = rulebook
        self._aspects = aspects = vocabulary(language, "aspects")
        self._asker = Asker(language, rng)
        self._rng = rng
        self._general = general_facets(vocabulary(language, "documents"))
        self._facets = {key: regime_facets(regime, aspects) for key, regime in rulebook.regimes.items()}
        facets = [facet for found in self._facets.values() for facet in found]
        self._primaries = {kind: [facet for facet in facets if facet.type == kind] for kind in TYPES}

    def make(self, count: int) -> list[Question]:
        """Return `count` questions, spread evenly over every pair of type and level.

        Raises
        ------
        SettingsError
            The rulebook does not hold that many different questions.

        """
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
            hidden = bool(question.hidden) == (wanted in _HIDDEN)
            if question.level == wanted and hidden and question.text not in known:
                return question
        raise SettingsError(
            f"sample.questions: found no {wanted} question of type {kind} that has not been asked yet. "
            f"Set it to {len(known)} or less."
        )

    def _compose(self, kind: str, wanted: Level) -> Question:
        rng = self._rng
        primary = rng.choice(self._primaries[kind])
        regime = self._rulebook.regimes[primary.key[0]]
        others = [
            facet
            # General provisions have more lots, since questions of different clusters share them.
            for facet in (*self._facets[regime.key], *fitting(self._general, regime) * _LOTS)
            if facet.theme in ("", primary.theme) and facet.key != primary.key
        ]
        drawn = rng.sample(others, k=min(len(others), rng.choice(_EXTRA_FACETS[wanted])))
        facets = list({facet.key: facet for facet in (primary, *drawn)}.values())
        grades = self._references(regime, facets)
        references = {self._rulebook.passage_id(key): grade for key, grade in grades.items()}
        return Question(
            text=self._asker.ask(regime, facets),
            type=kind,
            level=level(self._properties(facets, references)),
            cluster=f"{regime.key}/{primary.subject}",
            references=references,
            hidden=len(self._rulebook.riders(grades)),
        )

    def _properties(self, facets: Sequence[Facet], references: Mapping[str, int]) -> Properties:
        return Properties(
            references=len(references),
            documents=len({passage_id.split("-", 1)[0] for passage_id in references}),
            facets=len(facets),
            institutions=1 + sum(facet.institution for facet in facets),
            conditional=any(facet.conditional for facet in facets),
            sanction=any(facet.key[1] == "offence" for facet in facets),
        )

    def _references(self, regime: Regime, facets: Sequence[Facet]) -> dict[Key, int]:
        """Return the reference sets of the facets with all riders of their provisions."""
        grades: dict[Key, int] = {}
        for facet in facets:
            for key, grade in reference_set(regime, self._aspects, facet.key).items():
                grades[key] = max(grade, grades.get(key, 0))
        grades |= dict.fromkeys(self._rulebook.riders(grades), SUPPORTING)
        return grades
