"""LightGBM models at run time: scored, explained, merged and written as a graph, without its package."""

from rulerank.trees.mean import mean_of
from rulerank.trees.model import GRAPH, Trees

__all__ = ["GRAPH", "Trees", "mean_of"]
