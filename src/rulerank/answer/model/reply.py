"""A language model's reply to a request: always validated, and asked for once more if it is faulty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulerank.answer.model.reading import Reading
from rulerank.answer.model.request import PROMPTS, Request
from rulerank.errors import UnansweredError
from rulerank.llm import Message
from rulerank.llm.prompts import read_prompt
from rulerank.llm.replies import Replies

CUT = "it was cut off at its maximum length"
"""What is wrong with a reply that may say more than what came."""


@dataclass(frozen=True)
class Replied:
    """A reply and how it reads.

    Parameters
    ----------
    text : str
        The reply.
    reading : Reading
        What it says.
    cut : bool, optional (default=False)
        Whether it was cut off at its maximum length.

    """

    text: str
    reading: Reading
    cut: bool = False

    @property
    def fault(self) -> str | None:
        """What is wrong with it, None if nothing is."""
        return CUT if self.cut else self.reading.fault


def replied_to(request: Request, replies: Replies) -> Replied:
    """Return a model's reply; if the first is faulty, ask once more.

    A reply that was cut off is asked for with twice the room; one that cannot be read, with its fault. If the
    second is faulty too, the one with more claims counts, and it is not kept.

    Raises
    ------
    UnansweredError
        The endpoint refuses the question.
    ModelError
        The model cannot be reached, or the token budget is spent.

    """
    kept = replies.kept(request.key)
    if kept is not None and not (reading := request.read(kept)).fault:
        return Replied(kept, reading)
    replied = _asked(request)
    if not replied.fault:
        replies.keep(request.key, replied.text)
    return replied


def _asked(request: Request) -> Replied:
    """Return a model's first reply, or its second if that is better; see `replied_to`."""
    messages, schema, room = request.messages(), request.schema(), request.settings.max_tokens
    first = _send(request, messages, schema, room)
    if not first.fault:
        return first
    try:
        if first.cut:
            second = _send(request, messages, schema, 2 * room)
        else:
            _, repair = read_prompt(PROMPTS, "repair").filled(fault=first.fault)
            further = (Message("assistant", first.text or "(nothing)"), Message("user", repair))
            second = _send(request, (*messages, *further), schema, room)
    except UnansweredError:
        # The longer request may exceed what the endpoint takes at all.
        return first
    return first if second.fault and len(second.reading.claims) < len(first.reading.claims) else second


def _send(
    request: Request, messages: tuple[Message, ...], schema: Mapping[str, Any] | None, room: int
) -> Replied:
    completion = request.model.converse(
        messages,
        max_tokens=room,
        temperature=request.settings.temperature,
        schema=schema,
        purpose=request.prompt.label,
    )
    text = completion.text
    if completion.cut and request.settings.style == "list":
        # Half a line could state a rule without its condition.
        text = text.rpartition("\n")[0]
    return Replied(text, request.read(text), completion.cut)
