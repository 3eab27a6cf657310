"""Free answers compared with expected ones: by words, by token vectors, and by a language model."""

from rulerank.evaluate.free_answers.judge import FreeJudge, Grade, win_rate
from rulerank.evaluate.free_answers.likeness import bert_score
from rulerank.evaluate.free_answers.overlap import Rouge, rouge

__all__ = ["FreeJudge", "Grade", "Rouge", "bert_score", "rouge", "win_rate"]
