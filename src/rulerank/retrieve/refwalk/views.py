"""A question under three views: as it was asked, with its anchor, and its anchor alone."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulerank.retrieve.refwalk.anchor import SLOTS, Anchor

VIEWS = ("narrow", "mid", "wide")
"""The views, in the order of their weights."""

ANY = "all"
"""What stands in a slot of which the question says nothing."""

_CONDITIONS = SLOTS[1:]
_MARKS = re.compile(
    rf"^Conditions:|\[(?:Q|{'|'.join(slot.upper() for slot in SLOTS)})\](?: {ANY}(?=,|$))?,?", re.M
)


def views(question: str, anchor: Anchor) -> Mapping[str, str]:
    """Return the views of a question as text.

    Parameters
    ----------
    question : str
        As it was asked.
    anchor : Anchor
        Of the question.

    Returns
    -------
    mapping of str to str
        `narrow`, `mid` and `wide`; `narrow` alone when the anchor is empty, since the others would say
        nothing more.

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
    """Return a view without its marks and empty slots, for a reader that knows words only."""
    return " ".join(_MARKS.sub(" ", view).split())
