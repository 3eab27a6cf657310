"""An exported ranker at run time: a question in, ranked passages out, each with its reasons."""

from rulerank.ranker.ranker import Ranker

__all__ = ["Ranker"]
