"""Names and tiers of documents, learned from their texts where no file states them."""

from rulerank.corpora.naming.learn import learn_names, tiers_of

__all__ = ["learn_names", "tiers_of"]
