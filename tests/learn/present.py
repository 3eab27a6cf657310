"""A choice that may be in force before a search for a better one."""

from __future__ import annotations

from rulerank.learn.ranker.choice import Choice
from rulerank.settings import Ranker


def present_choice(**ranker: float) -> Choice:
    """Return the choice of some groups, with these settings of the ranker."""
    return Choice(ranker=Ranker(**ranker), groups=("lexical", "fusion", "centrality", "judgement"))
