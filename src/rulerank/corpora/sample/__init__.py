"""The sample corpus: an invented harbour authority, its rulebook, and questions in other words."""

from rulerank.corpora.sample.write import write_sample

__all__ = ["write_sample"]
