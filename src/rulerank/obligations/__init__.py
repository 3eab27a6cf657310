"""What a passage asks of whom: its sentences and enumerations as statements, each with its parts."""

from rulerank.obligations.modality import DUTIES
from rulerank.obligations.readable import Span
from rulerank.obligations.separable import inseparable, open_ended, unfinished
from rulerank.obligations.statements import Statement, statements
from rulerank.obligations.titles import is_title, without_heading
from rulerank.obligations.wording import Modality

__all__ = [
    "DUTIES",
    "Modality",
    "Span",
    "Statement",
    "inseparable",
    "is_title",
    "open_ended",
    "statements",
    "unfinished",
    "without_heading",
]
