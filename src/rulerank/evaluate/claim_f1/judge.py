"""A language model that splits answers into claims and compares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, TypeVar

from rulerank.console import printable
from rulerank.evaluate.claim_f1.score import WEIGHTS, ClaimScore, ClaimVerdict, claim_score
from rulerank.llm import LanguageModel
from rulerank.llm.asking import object_in, read_reply
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

Read = TypeVar("Read")

MOST = 20
"""The most claims of an answer that count (RefWalk)."""

_PROMPTS = files("rulerank.evaluate.claim_f1") / "prompts"
_MAX_TOKENS = {"decompose": 2048, "compare": 1536}


@dataclass(frozen=True)
class Judge:
    """Scores answers by Claim F1.

    RefWalk's evaluation counts a reply that cannot be read as no claims, so two such replies agree. Here the
    model is asked once more, and an answer whose judgement cannot be read has no score.

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
        UnansweredError
            A reply cannot be read even the second time, or the endpoint refuses what is asked.
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        claims, wanted = self.claims(answer), self.claims(expected)
        return claim_score(len(claims), len(wanted), self.compared(claims, wanted))

    def claims(self, text: str) -> list[str]:
        """Return the claims of a text, 20 at most; a blank text has none."""
        return self._asked("decompose", _claims, text=printable(text)) if text.strip() else []

    def compared(self, claims: Sequence[str], expected: Sequence[str]) -> list[ClaimVerdict]:
        """Return the verdicts on the claims compared with the expected ones."""
        if not claims or not expected:
            return []
        return self._asked("compare", _verdicts, claims=_numbered(claims), expected=_numbered(expected))

    def _asked(self, name: str, read: Callable[[str], Read | None], **values: str) -> Read:
        prompt = read_prompt(_PROMPTS, name)
        return read_reply(prompt, values, self.model, self.replies, _MAX_TOKENS[name], read)


def _numbered(claims: Sequence[str]) -> str:
    return "\n".join(f"{number}. {' '.join(claim.split())}" for number, claim in enumerate(claims, start=1))


def _claims(reply: str) -> list[str] | None:
    """Read {"claims": ["...", "..."]}; what is no claim among claims is left out."""
    said = object_in(reply).get("claims")
    if not isinstance(said, list):
        return None
    claims = [each.strip() for each in said if isinstance(each, str) and each.strip()]
    return claims[:MOST] if claims or not said else None


def _verdicts(reply: str) -> list[ClaimVerdict] | None:
    """Read {"verdicts": [{"claim": 1, "expected": 2, "verdict": "match"}]}; what is none is left out."""
    said = object_in(reply).get("verdicts")
    if not isinstance(said, list):
        return None
    verdicts = [each for each in said if isinstance(each, Mapping) and each.get("verdict") in tuple(WEIGHTS)]
    if said and not verdicts:
        return None
    return [judged for each in verdicts if (judged := _judged(each))]


def _judged(said: Mapping[str, Any]) -> ClaimVerdict | None:
    """Return a verdict with its numbers from 0, None if it does not name two claims."""
    claim, expected = said.get("claim"), said.get("expected")
    if not isinstance(claim, int) or not isinstance(expected, int):
        return None
    return ClaimVerdict(claim - 1, expected - 1, said["verdict"])
