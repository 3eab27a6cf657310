"""Citations read from the text with the grammar of a jurisdiction."""

from rulerank.graph.citations.evaluation import Agreement, Evaluation, compare
from rulerank.graph.citations.extract import extract, references_in
from rulerank.graph.citations.extraction import Extraction
from rulerank.graph.citations.grammar import Grammar
from rulerank.graph.citations.loading import fitting_grammar, grammar_names, load_grammar

__all__ = [
    "Agreement",
    "Evaluation",
    "Extraction",
    "Grammar",
    "compare",
    "extract",
    "fitting_grammar",
    "grammar_names",
    "load_grammar",
    "references_in",
]
