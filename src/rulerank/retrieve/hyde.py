"""HyDE: a language model writes the provision that would answer a question, and this text is searched.

Gao et al., "Precise zero-shot dense retrieval without relevance labels", ACL 2023.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.resources import files

from rulerank.llm import LanguageModel
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies, key_of

_MAX_TOKENS = 512
_WORKERS = 4
"""Questions asked in parallel."""


@dataclass(frozen=True)
class Hypothetical:
    """Writes hypothetical provisions.

    Parameters
    ----------
    model : LanguageModel
        Writes at temperature 0.
    replies : Replies, optional
        Where replies are kept; a kept reply is not requested again.

    """

    model: LanguageModel
    replies: Replies = field(default_factory=Replies)

    def __call__(self, questions: Sequence[str]) -> list[str]:
        """Return the hypothetical provision of each question, or the question itself if that is blank.

        Raises
        ------
        ModelError
            The model cannot be reached, or the token budget is spent.

        """
        with ThreadPoolExecutor(_WORKERS) as pool:
            return list(pool.map(self._written, questions))

    def _written(self, question: str) -> str:
        prompt = read_prompt(files("rulerank.retrieve") / "prompts", "hyde")
        key = key_of(prompt.digest, self.model.name, question)
        reply = (self.replies.kept(key) or "").strip()
        if not reply:
            system, user = prompt.filled(question=question)
            reply = self.model.complete(system, user, max_tokens=_MAX_TOKENS, purpose=prompt.label).strip()
            if reply:
                self.replies.keep(key, reply)
        return reply or question
