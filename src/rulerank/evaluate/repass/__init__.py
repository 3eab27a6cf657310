"""RePASs: entailment, contradiction and obligation coverage of an answer, as published with ObliQA."""

from rulerank.evaluate.repass.formula import Parts, mean_of, repass
from rulerank.evaluate.repass.models import parts_of

__all__ = ["Parts", "mean_of", "parts_of", "repass"]
