"""Which provisions of the sample are changed, by which, and the figures that are no longer in force."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulerank.corpora.sample.documents import Rulebook
from rulerank.corpora.sample.references import superseders
from rulerank.corpora.sample.wording import vocabulary
from rulerank.corpora.sample.world import Regime
from rulerank.corpora.sample.write import draw_rulebook


@dataclass(frozen=True)
class ChangedProvision:
    """A provision that a later one changes.

    Parameters
    ----------
    passage_id : str
        The provision.
    by : str
        The last passage that changes it.
    stale : frozenset of str
        The figures that were in force before.
    figure : str
        The figure that is in force.

    """

    passage_id: str
    by: str
    stale: frozenset[str]
    figure: str


def changed_provisions(seed: int) -> list[ChangedProvision]:
    """Return every changed provision of the rulebook of a seed, as its generator records it."""
    rulebook, _ = draw_rulebook(seed)
    return [each for regime in rulebook.regimes.values() for each in _of_regime(rulebook, regime)]


def _of_regime(rulebook: Rulebook, regime: Regime) -> Iterator[ChangedProvision]:
    aspects = vocabulary("english", "aspects")
    for name in aspects:
        above = superseders(regime, aspects, name) if name in regime.aspects else []
        if not above:
            continue
        amended = "amendment" in (name, *above)
        prefix = "period" if amended else "renewal"
        figures = [regime.facts[f"{prefix}_{which}"] for which in ("old", "new", "last")]
        now = 2 if above[-1] == "reamendment" else 1
        yield ChangedProvision(
            rulebook.passage_id((regime.key, name)),
            rulebook.passage_id((regime.key, above[-1])),
            frozenset(figures[:now]),
            figures[now],
        )
