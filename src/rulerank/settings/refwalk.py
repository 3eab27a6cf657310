"""The section `refwalk` of params.yaml."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rulerank.settings.features import EdgeType
from rulerank.settings.section import Section

FusionName = Literal["rrf", "wrrf", "rrm", "weighted_sum"]

Weight = Annotated[float, Field(ge=0)]


class RefWalkSettings(Section):
    """Retrieval by an anchored question, its citations and several views of it (RefWalk)."""

    pool: int = Field(50, ge=1, le=10_000)
    """Passages that the dense search returns, by the mid view."""
    seeds: int = Field(10, ge=0, le=10_000)
    """How many of the first of these passages are starting points along citations."""
    hops: int = Field(1, ge=1, le=10)
    decay: float = Field(0.7, gt=0, le=1)
    """Factor per hop of a cited passage's score, which is only recorded: the scorer orders the pool."""
    edge_types: tuple[EdgeType, ...] = ("REFERENCES", "DELEGATES_TO", "SPECIFIES")
    fusion: FusionName = "rrm"
    rrf_k: int = Field(60, ge=1)
    weights: tuple[Weight, Weight, Weight] = (2.0, 2.0, 1.0)
    """Weights of the views narrow, mid and wide, in weighted fusions; wide does not contain the question."""
    low_tier: int = Field(5, ge=1, le=5)
    """Passages of this tier or of less authority (a greater number) count less."""
    tier_decay: float = Field(0.7, gt=0, le=1)
    """Factor of their fused score."""
