"""Sections of params.yaml on what is done with a trained ranker."""

from __future__ import annotations

from pydantic import Field

from rulerank.settings.section import Section


class Answer(Section):
    """The score-based tail filter (ObliQA-MP) before an answer is put together."""

    tau_min: float = Field(0.7, ge=0, le=1)
    tau_delta: float = Field(0.2, ge=0, le=1)


class Evaluate(Section):
    """What is measured."""

    permutations: int = Field(10_000, ge=100)
    """Rounds of the paired randomisation test."""


class Track(Section):
    """Where MLflow keeps the runs."""

    store: str = "sqlite:///mlflow.db"
    name: str = ""
    """Name of the run; by default that of the data and a hash."""
    experiment: str = "rulerank"
