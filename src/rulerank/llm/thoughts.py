"""The reasoning that a model writes before its answer."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_CLOSED = re.compile(r"</think(?:ing)?>")


def without_thoughts(reply: str) -> str:
    """Return a reply without its reasoning.

    A block of reasoning that is not closed extends to the end. One that is only closed was opened by the chat
    template, so everything before it is reasoning.
    """
    return _CLOSED.split(_THOUGHT.sub("", reply))[-1]
