"""How hard a question is, read off the finished question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["L1", "L2", "L3", "L4"]
LEVELS: tuple[Level, ...] = ("L1", "L2", "L3", "L4")
PARALLEL = 4
"""The number of institutions from which a question counts as one of parallel responsibilities."""


@dataclass(frozen=True)
class Properties:
    """The properties that decide the level of a question.

    Parameters
    ----------
    references : int
        Number of passages in its whole reference set.
    documents : int
        Number of documents they are in.
    facets : int
        Number of things it asks at once.
    institutions : int
        Number of bodies with a say in the matter, including the authority.
    conditional : bool
        Whether the answer turns on a circumstance.
    sanction : bool
        Whether it asks about a penalty.
    external : bool, optional (default=False)
        Whether the answer relies on law from outside the rulebook.

    """

    references: int
    documents: int
    facets: int
    institutions: int
    conditional: bool
    sanction: bool
    external: bool = False


def level(question: Properties) -> Level:
    """Return the difficulty level: the first rule that holds, hardest first (RefWalk's levels)."""
    crosses = question.documents > 1
    parallel = question.institutions >= PARALLEL
    many = question.facets >= 3
    if question.conditional and (crosses or question.sanction or parallel or many):
        return "L4"
    if crosses or question.external or question.references >= 4 or parallel or many:
        return "L3"
    if question.conditional or question.references >= 2:
        return "L2"
    return "L1"
