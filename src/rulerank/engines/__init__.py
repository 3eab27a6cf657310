"""The ranker in common search engines: written in their formats, each verified by reading it back."""

from rulerank.engines.columns import PORTABLE, portable
from rulerank.engines.export import FORMATS, export_bundle
from rulerank.engines.passages import question_parameters

__all__ = ["FORMATS", "PORTABLE", "export_bundle", "portable", "question_parameters"]
