"""Answers by a language model, one question or a batch; none of them is verified here."""

from rulerank.answer.model.answerer import Asked, equipped, model_answer, model_answers
from rulerank.llm.replies import Replies

__all__ = ["Asked", "Replies", "equipped", "model_answer", "model_answers"]
