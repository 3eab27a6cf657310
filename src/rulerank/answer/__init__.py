"""From ranked passages to an answer that binds each obligation to its rule."""

from rulerank.answer.extractive import ABSTENTION, Answer, Bullet, extractive_answer
from rulerank.answer.tail_filter import keep

__all__ = ["ABSTENTION", "Answer", "Bullet", "extractive_answer", "keep"]
