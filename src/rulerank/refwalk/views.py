"""A question under three views: the question alone, the question with its anchor, and the anchor alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulerank.refwalk.anchor import VIEWED, Anchor

VIEWS = ("narrow", "mid", "wide")
"""The views, in the order of their weights."""

ANY = "all"
"""The value of a slot that the question does not fill."""

_CONDITIONS = VIEWED[1:]
_MARKS = re.compile(
    rf"^Conditions:|\[(?:Q|{'|'.join(slot.upper() for slot in VIEWED)})\](?: {ANY}(?=,|$))?,?", re.M
)


def views(question: str, anchor: Anchor) -> Mapping[str, str]:
    """Return the views of a question as text.

    Parameters
    ----------
    question : str
        In plain words.
    anchor : Anchor
        The anchor of the question.

    Returns
    -------
    mapping of str to str
        `narrow`, `mid` and `wide`; only `narrow` if the anchor is empty, because the others would add
        nothing.

    """
    if not anchor:
        return {"narrow": question}
    topic = f"[TOPIC] {anchor.topic or ANY}"
    slots = ", ".join(f"[{slot.upper()}] {getattr(anchor, slot) or ANY}" for slot in _CONDITIONS)
    return {
        "narrow": question,
        "mid": f"{topic}\n[Q] {question}\nConditions: {slots}",
        "wide": f"{topic}\nConditions: {slots}",
    }


def unmarked(view: str) -> str:
    """Return a view without its marks and empty slots, for a model that reads plain text."""
    return " ".join(_MARKS.sub(" ", view).split())
