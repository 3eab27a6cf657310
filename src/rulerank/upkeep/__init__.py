"""A trained ranker over passages that it was not trained with: another corpus, or one that has changed."""

from rulerank.upkeep.build import Rulebook
from rulerank.upkeep.changes import Changes
from rulerank.upkeep.index import index_corpus
from rulerank.upkeep.read import read_changes
from rulerank.upkeep.touched import Touched
from rulerank.upkeep.update import update_bundle

__all__ = ["Changes", "Rulebook", "Touched", "index_corpus", "read_changes", "update_bundle"]
