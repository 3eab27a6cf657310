"""What a manifest says of a bundle's making: facts for people, and for what is made from the bundle."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, FiniteFloat, NonNegativeInt


class Data(BaseModel):
    """Where a bundle's corpus comes from."""

    name: str = ""
    files: dict[str, str] = {}


class Mean(BaseModel):
    """A measure of a model on training questions, with its interval."""

    mean: FiniteFloat
    low: FiniteFloat
    high: FiniteFloat
    n: NonNegativeInt


class Stated(BaseModel):
    """The settings that the model card names; `load_bundle` checks those that a ranker needs."""

    prepare: dict[str, Any] = {}
    encoder: dict[str, Any] = {}


class Facts(BaseModel):
    """What a manifest says besides its files; a bundle without training questions lacks some of it."""

    settings: Stated = Stated()
    rulerank: str = ""
    versions: dict[str, str] = {}
    feature_set: str = ""
    groups: list[str] = []
    data: Data = Data()
    questions: dict[str, NonNegativeInt] = {}
    out_of_fold: dict[str, dict[str, Mean]] = {}
    updates: list[dict[str, Any]] = []
    trained: dict[str, Any] = {}
