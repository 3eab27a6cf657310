"""A language model that splits answers into claims and compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from rulerank.console import printable
from rulerank.evaluate.claim_f1.score import ClaimScore, Judged, claim_score
from rulerank.llm import LanguageModel
from rulerank.llm.asking import object_in, reply_to
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

MOST = 20
"""The most claims of an answer that count (RefWalk)."""

_PROMPTS = files("rulerank.evaluate.claim_f1") / "prompts"
_MAX_TOKENS = {"decompose": 2048, "compare": 1536}


@dataclass(frozen=True)
class Judge:
    """Scores answers by Claim F1.

    A reply that cannot be read counts as no claim, or as no agreement, as in RefWalk's evaluation.

    Parameters
    ----------
    model : LanguageModel
        The model that judges, at temperature 0.
    replies : Replies, optional
        Keeps the model's replies. It is not asked again for a reply that is kept.

    """

    model: LanguageModel
    replies: Replies = field(default_factory=Replies)

    def __call__(self, answer: str, expected: str) -> ClaimScore:
        """Return the score of an answer compared with the expected one.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        claims, wanted = self.claims(answer), self.claims(expected)
        return claim_score(len(claims), len(wanted), self.compared(claims, wanted))

    def claims(self, text: str) -> list[str]:
        """Return the claims of a text, 20 at most; a blank text has none."""
        if not text.strip():
            return []
        said = self._asked("decompose", text=printable(text)).get("claims")
        claims = said if isinstance(said, list) else []
        return [each.strip() for each in claims if isinstance(each, str) and each.strip()][:MOST]

    def compared(self, claims: Sequence[str], expected: Sequence[str]) -> list[Judged]:
        """Return the verdicts on the claims compared with the expected ones."""
        if not claims or not expected:
            return []
        said = self._asked("compare", claims=_numbered(claims), expected=_numbered(expected)).get("verdicts")
        return [judged for each in said if (judged := _judged(each))] if isinstance(said, list) else []

    def _asked(self, name: str, **values: str) -> Mapping[str, Any]:
        prompt = read_prompt(_PROMPTS, name)
        return object_in(reply_to(prompt, values, self.model, self.replies, _MAX_TOKENS[name]))


def _numbered(claims: Sequence[str]) -> str:
    return "\n".join(f"{number}. {' '.join(claim.split())}" for number, claim in enumerate(claims, start=1))


def _judged(said: Any) -> Judged | None:
    """Read {"claim": 1, "expected": 2, "verdict": "match"}, numbers from 1."""
    if not isinstance(said, Mapping) or said.get("verdict") not in ("match", "partial"):
        return None
    claim, expected = said.get("claim"), said.get("expected")
    if not isinstance(claim, int) or not isinstance(expected, int):
        return None
    return Judged(claim - 1, expected - 1, said["verdict"])
