"""What a model thought aloud before it answered."""

from __future__ import annotations

import re

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_CLOSED = re.compile(r"</think(?:ing)?>")


def without_thoughts(reply: str) -> str:
    """Return a reply without its thoughts.

    A thought that is not closed goes to the end. One that is only closed was opened by the chat template: all
    before it is thought.
    """
    return _CLOSED.split(_THOUGHT.sub("", reply))[-1]
