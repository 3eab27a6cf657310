"""Answers by a language model; none of them is verified here."""

from rulerank.answer.model.answerer import model_answer, with_settings
from rulerank.llm.replies import Replies

__all__ = ["Replies", "model_answer", "with_settings"]
