"""Answers by a language model; none of them is verified here."""

from rulerank.answer.model.answerer import equipped, model_answer
from rulerank.llm.replies import Replies

__all__ = ["Replies", "equipped", "model_answer"]
