"""How a question is asked: in the words of the people whom the rulebook binds, who know some of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from rulerank.corpora.sample.facets import Facet
from rulerank.corpora.sample.wording import WORDINGS, Language, vocabulary
from rulerank.corpora.sample.world import Regime

_REGISTERS = (0.8, 0.1, 0.1)
"""How often an activity or a permission has the rulebook's own name, and each of the lay ones."""

_KNOWN = 0.7
"""How often a circumstance, a duty or a thing is put as the rulebook puts it."""

_OPENED, _PRELUDED = 0.35, 0.1
"""How often a question begins with who asks, and with words that say nothing."""

_TELLING = ("doing", "paper", "noun", "actor", "an_actor", "term")
"""The slots that tell what activity a question is about."""


class Asker:
    """Words questions.

    Parameters
    ----------
    language : {"english", "korean"}
        The language of the questions.
    rng : random.Random
        Chooses among the ways to put something.

    """

    def __init__(self, language: Language, rng: random.Random) -> None:
        self._wording = WORDINGS[language]
        self._preludes = vocabulary(language, "facts")["preludes"]
        self._rng = rng

    def ask(self, regime: Regime, facets: Sequence[Facet]) -> str:
        """Return a question about the facets of a regime.

        If it does not tell what activity it is about, it begins with who asks.
        """
        rng = self._rng
        called = self._called(regime.facts)
        asks = [rng.choice(facet.asks) for facet in facets]
        parts = []
        draw = rng.random()
        if draw < _OPENED or not _tells(asks):
            parts.append(regime.facts[f"opener_{rng.randrange(2)}"])
        elif draw < _OPENED + _PRELUDED:
            parts.append(rng.choice(self._preludes))
        for number, (facet, ask) in enumerate(zip(facets, asks, strict=True)):
            own = self._known(called | regime.own.get(facet.key[1], {}))
            # A fact can itself speak of `{doing}` or `{paper}`.
            part = ask.format(**own).format(**own)
            joined = self._wording.joined(part)
            parts.append(joined if number and joined != part and rng.random() < 0.5 else part)
        return self._wording.finished(" ".join(parts))

    def _called(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return the facts with the names that this question gives to the activity and the permission."""
        called = {**facts, "covers": facts[f"covers_{self._rng.randrange(2)}"]}
        for name in ("doing", "paper"):
            called[name] = facts[f"{name}_{self._rng.choices((0, 1, 2), _REGISTERS)[0]}"]
        return called

    def _known(self, facts: Mapping[str, str]) -> dict[str, str]:
        """Return the facts with the rulebook's own expressions in place of lay ones, where they are known."""
        known = [name for name in self._wording.either if name in facts and self._rng.random() < _KNOWN]
        return {**facts, **{f"{name}_lay": facts[name] for name in known}}


def _tells(asks: Sequence[str]) -> bool:
    return any(f"{{{name}}}" in ask for ask in asks for name in _TELLING)
