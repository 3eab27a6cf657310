"""What a passage asks of whom: its sentences and enumerations as statements, with their modality and parts."""

from rulerank.obligations.modality import DUTIES, Modality
from rulerank.obligations.readable import Span
from rulerank.obligations.statements import Statement, statements

__all__ = ["DUTIES", "Modality", "Span", "Statement", "statements"]
