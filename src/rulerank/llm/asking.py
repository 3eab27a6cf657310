"""A prompt sent to a language model, once more if its reply cannot be read; the JSON object in a reply."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rulerank.errors import UnansweredError
from rulerank.llm.client import LanguageModel, Message
from rulerank.llm.prompts import Prompt
from rulerank.llm.replies import Replies, key_of

Read = TypeVar("Read")

_AGAIN = """\
This reply cannot be read. Send the whole answer once more, in the form that was asked for and with nothing \
around it."""


def read_reply(
    prompt: Prompt,
    values: Mapping[str, str],
    model: LanguageModel,
    replies: Replies,
    max_tokens: int,
    read: Callable[[str], Read | None],
) -> Read:
    """Return what a model's reply at temperature 0 says; if it cannot be read, ask once more.

    For a kept reply, the model is not asked again. A reply that cannot be read is not kept. If it was cut
    off, it is asked for with twice the room.

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
    read : callable
        Reads a reply; None if it cannot be read.

    Raises
    ------
    UnansweredError
        Neither reply can be read, or the endpoint refuses what is asked.
    ModelError
        The model cannot be reached, or the token budget is spent.

    """
    key = key_of(prompt.digest, model.name, values)
    kept = replies.kept(key)
    said = None if kept is None else read(kept)
    if said is not None:
        return said
    system, user = prompt.filled(**values)
    messages = [Message("system", system), Message("user", user)]
    reply = model.converse(messages, max_tokens=max_tokens, purpose=prompt.label)
    said = read(reply.text)
    if said is None:
        if reply.cut:
            max_tokens *= 2
        else:
            messages += [Message("assistant", reply.text or "(nothing)"), Message("user", _AGAIN)]
        reply = model.converse(messages, max_tokens=max_tokens, purpose=prompt.label)
        said = read(reply.text)
    if said is None:
        raise UnansweredError(
            f"{model.name}: expected a reply in the form that the prompt {prompt.label} asks for, found "
            f"{reply.text[:200]!r} when it was asked once more. Use a model that follows instructions."
        )
    replies.keep(key, reply.text)
    return said


def object_in(reply: str) -> Mapping[str, Any]:
    """Return the JSON object in a reply, which may stand among other words; empty if there is none."""
    try:
        said = json.loads(reply[reply.find("{") : reply.rfind("}") + 1])
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, Mapping) else {}
