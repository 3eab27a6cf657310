"""Questions of the benchmark, reworded by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulerank.errors import ModelError
from rulerank.llm import LanguageModel
from rulerank.refwalk.anchor import AnchorSource
from rulerank.refwalk.benchmark.generate import Rewrite
from rulerank.refwalk.build import model_for

_INSTRUCTION = """\
You reword a clumsy question about regulations as somebody whom they bind would ask it. Keep all that it \
asks, and its language. Cite no rule and no number of one, and copy no phrase of the rules that are shown: \
they say what the question is about and are not to be answered. Reply with the question alone."""
_CHARACTERS = 1500


def rewriter(source: AnchorSource) -> Rewrite | None:
    """Return what rewords generated questions, None for the rules; errors as in `build.anchor_model`."""
    model = model_for(source)
    return None if model is None else PromptedRewording(model)


@dataclass(frozen=True)
class PromptedRewording:
    """Asks a language model to reword a question.

    Parameters
    ----------
    model : LanguageModel
        Answers at temperature 0.

    """

    model: LanguageModel

    def __call__(self, question: str, rules: Sequence[str]) -> str:
        """Return the question in other words.

        Raises
        ------
        ModelError
            The model cannot be reached, or its answer is empty.

        """
        shown = "\n\n".join(f"Rule: {rule[:_CHARACTERS]}" for rule in rules)
        said = " ".join(self.model.complete(_INSTRUCTION, f"{shown}\n\nQuestion: {question}").split())
        if not said:
            raise ModelError(
                f"{self.model.name}: expected a question, found nothing. Use a model that follows "
                "instructions, or word questions by templates."
            )
        return said
