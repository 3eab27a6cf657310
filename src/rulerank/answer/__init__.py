"""From ranked passages to an answer whose every claim is bound to its rule, as it stands on a day."""

from collections.abc import Callable, Sequence
from datetime import date

from rulerank.answer.claims import ABSTENTION, INCOMPLETE, Answer, Claim, Dropped, Quote
from rulerank.answer.extractive import Extractive
from rulerank.answer.law import Law
from rulerank.answer.relevance import Relevance
from rulerank.answer.tail_filter import keep, keep_absolute
from rulerank.passages import Passage

Answerer = Callable[[str, Sequence[Passage], date], Answer]
"""Maps a question, the sources in ranked order and a day to an answer."""

__all__ = [
    "ABSTENTION",
    "INCOMPLETE",
    "Answer",
    "Answerer",
    "Claim",
    "Dropped",
    "Extractive",
    "Law",
    "Quote",
    "Relevance",
    "keep",
    "keep_absolute",
]
