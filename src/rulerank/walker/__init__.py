"""RefWalk over an exported ranker."""

from rulerank.walker.parts import citations, dense_search, learned_scorer, shown_texts
from rulerank.walker.results import WalkedPassage, walked
from rulerank.walker.walk import settings_of, walk_over

__all__ = [
    "WalkedPassage",
    "citations",
    "dense_search",
    "learned_scorer",
    "settings_of",
    "shown_texts",
    "walk_over",
    "walked",
]
