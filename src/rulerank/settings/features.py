"""Sections of params.yaml on the candidates and their features."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from rulerank.settings.section import Section, known_or_dotted

BUILT_IN_RUNS = ("bm25", "bm25_context", "dense", "closure")
EdgeType = Literal["PARENT_OF", "REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM", "SUPERSEDES"]


class Bm25(Section):
    """Okapi BM25 with the idf of Lucene; the backends give the same scores."""

    backend: Literal["bm25s", "rank_bm25"] = "bm25s"
    k1: float = Field(1.2, ge=0, le=10)
    b: float = Field(0.75, ge=0, le=1)


class Walk(Section):
    """How far a walk through the graph goes."""

    seeds: int = Field(10, ge=1, le=1000)
    """Best candidates from which it starts."""
    depth: int = Field(3, ge=1, le=10)
    """Maximum number of hops."""
    decay: float = Field(0.7, gt=0, le=1)
    """Factor of the score per hop."""


class Expansion(Walk):
    """What the run `closure` adds to the candidates of the others."""

    depth: int = Field(2, ge=1, le=10)
    found: int = Field(50, ge=1, le=10_000)
    """Maximum number of passages that it adds to a question's candidates."""
    edge_types: tuple[EdgeType, ...] = ("REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM")


class Candidates(Section):
    """The runs whose union is ranked."""

    runs: tuple[str, ...] = Field(("bm25", "bm25_context", "dense", "closure"), min_length=1)
    """The generators whose first passages are candidates, by name or dotted name, in order.

    `closure` walks from the fusion of the generators before it.
    """
    depth: int = Field(150, ge=1, le=10_000)
    rrf_k: int = Field(60, ge=1)
    dense_weight: float = Field(0.65, ge=0, le=1)
    """Share of the dense score in the run `hybrid`, measured next to the others; BM25 has the rest."""
    bm25: Bm25 = Field(default_factory=Bm25)
    closure: Expansion = Field(default_factory=Expansion)

    @field_validator("runs")
    @classmethod
    def _runs_are_generators(cls, runs: tuple[str, ...]) -> tuple[str, ...]:
        for run in runs:
            known_or_dotted(run, BUILT_IN_RUNS, "package.module:Class")
        repeated = sorted({run for run in runs if runs.count(run) > 1})
        if repeated:
            raise ValueError(f"expected each run once, found {', '.join(repeated)} more than once")
        if "closure" in runs and (runs[-1] != "closure" or len(runs) == 1):
            raise ValueError(
                "closure walks from the candidates of other runs: name it last, after one of them"
            )
        return runs


class Closure(Walk):
    """The walk along citation-bearing edges from the best candidates."""

    edge_types: tuple[EdgeType, ...] = ("REFERENCES", "DELEGATES_TO", "SPECIFIES", "REQUIRES_FORM")


class Extract(Section):
    """The feature matrix."""

    judgement: bool = True
    """Whether features built from training judgements are used. They are useless on a new rulebook."""
    features: tuple[str, ...] | None = None
    """Names of the features used, all by default."""
    neighbours: int = Field(10, ge=1, le=1000)
    closure: Closure = Field(default_factory=Closure)

    @field_validator("features")
    @classmethod
    def _a_feature_is_one_column(cls, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if names is None:
            return None
        if not names:
            raise ValueError("expected the name of a feature or more, found []; null takes all")
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"expected each name once, found {', '.join(repeated)} more than once")
        return names
