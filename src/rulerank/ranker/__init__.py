"""An exported ranker at run time: a question in, ranked passages out, each with its reasons."""

from rulerank.ranker.rank import Ranker
from rulerank.ranker.results import RankedPassage, Reason

__all__ = ["RankedPassage", "Ranker", "Reason"]
