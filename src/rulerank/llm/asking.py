"""A prompt sent to a language model, unless its reply is already kept; and the JSON object in a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rulerank.llm.client import LanguageModel
from rulerank.llm.prompts import Prompt
from rulerank.llm.replies import Replies, key_of


def reply_to(
    prompt: Prompt, values: Mapping[str, str], model: LanguageModel, replies: Replies, max_tokens: int
) -> str:
    """Return a model's reply at temperature 0; for a kept reply, the model is not asked again.

    Parameters
    ----------
    prompt : Prompt
        The prompt to send.
    values : mapping of str to str
        The values for its placeholders.
    model : LanguageModel
        The model to ask.
    replies : Replies
        Keeps the reply under prompt, model and values.
    max_tokens : int
        Maximum length of the reply.

    Raises
    ------
    ModelError
        The model cannot be reached, or the token budget is spent.

    """

    def ask() -> str:
        return model.complete(*prompt.filled(**values), max_tokens=max_tokens, purpose=prompt.label)

    return replies.of(key_of(prompt.digest, model.name, values), ask)


def object_in(reply: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply, which may stand among other words; empty if there is none."""
    try:
        said = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, Mapping) else {}
