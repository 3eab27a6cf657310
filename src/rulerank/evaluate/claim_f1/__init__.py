"""Claim F1: how far an answer and the expected one make the same claims, judged by a language model."""

from rulerank.evaluate.claim_f1.judge import Judge
from rulerank.evaluate.claim_f1.score import ClaimScore, ClaimVerdict, claim_score

__all__ = ["ClaimScore", "ClaimVerdict", "Judge", "claim_score"]
