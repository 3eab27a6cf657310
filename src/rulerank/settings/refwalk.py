"""Section of params.yaml on RefWalk retrieval."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rulerank.settings.features import EdgeType
from rulerank.settings.section import Section

Weight = Annotated[float, Field(ge=0)]


class RefWalk(Section):
    """Retrieval by an anchored question, its citations and several views of it (RefWalk)."""

    pool: int = Field(50, ge=1, le=10_000)
    """Passages taken by meaning, with the mid view."""
    seeds: int = Field(10, ge=0, le=10_000)
    """The first of them, from which citations are followed."""
    hops: int = Field(1, ge=1, le=10)
    decay: float = Field(0.7, gt=0, le=1)
    """Factor a hop of the score that a passage is reached with; it orders nothing, the scorer does."""
    edge_types: tuple[EdgeType, ...] = ("REFERENCES", "DELEGATES_TO", "SPECIFIES")
    fusion: Literal["rrf", "wrrf", "rrm", "weighted_sum"] = "rrm"
    rrf_k: int = Field(60, ge=1)
    weights: tuple[Weight, Weight, Weight] = (2.0, 2.0, 1.0)
    """Of the views narrow, mid and wide, for the fusions that weigh: wide does not hold the question."""
    low_tier: int = Field(5, ge=1, le=5)
    """Passages of this tier or a lower authority (a greater number) count less."""
    tier_decay: float = Field(0.7, gt=0, le=1)
    """Factor of their fused score."""
