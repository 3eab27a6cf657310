"""Sections of params.yaml on the LambdaMART ranker and the search for its settings."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rulerank.settings.section import Section


class Ranker(Section):
    """LightGBM's own parameter names, unchanged, and the early stopping around them."""

    num_leaves: int = Field(15, ge=2, le=131072)
    learning_rate: float = Field(0.1, gt=0, le=1)
    min_data_in_leaf: int = Field(100, ge=0)
    feature_fraction: float = Field(0.3, gt=0, le=1)
    lambda_l2: float = Field(5.0, ge=0)
    max_bin: int = Field(63, ge=2, le=65535)
    lambdarank_truncation_level: int = Field(15, ge=1)
    bagging_fraction: float = Field(1.0, gt=0, le=1)
    """Share of the questions that each tree uses."""
    several_weight: float = Field(3.0, gt=0, le=1000)
    """Weight of a question with two or more relevant passages; a question with one passage has weight 1."""
    depth: int = Field(100, ge=1)
    """First candidates of each question used in training, in the best known order; all are ranked."""
    num_iterations: int = Field(600, ge=1)
    early_stopping_rounds: int = Field(30, ge=1)
    others: dict[str, Annotated[float, Field(gt=0, le=1000)]] = Field({})
    """Other training corpora, by name, and the weight of their questions; the corpus's own have weight 1."""


class Affinity(Section):
    """What the company of a passage adds where no judgements do: LightGBM's own names, except `trees`."""

    trees: int = Field(80, ge=0, le=10_000)
    """0 leaves it out."""
    num_leaves: int = Field(31, ge=2, le=131072)
    learning_rate: float = Field(0.06, gt=0, le=1)
    min_data_in_leaf: int = Field(100, ge=0)
    feature_fraction: float = Field(0.6, gt=0, le=1)
    lambda_l2: float = Field(5.0, ge=0)


class Standing(Section):
    """What the standing of a candidate in its list adds on rules that nobody has judged."""

    penalty: float = Field(100.0, gt=0, le=1_000_000)
    """Factor of the sum of its squared weights, against the summed loss of the questions."""


class Trust(Section):
    """When a question is left to the ranker for rules that nobody has judged."""

    unjudged: float = Field(0.1, ge=0, le=1)
    """Share of the questions to expect that are about such rules."""


class Tune(Section):
    """The search for better `ranker` settings; without trials the section `ranker` is used unchanged."""

    trials: int = Field(0, ge=0, le=10_000)
    workers: int = Field(2, ge=1, le=256)
    """Trials run in parallel, each on its share of `threads`."""
    folds: int = Field(2, ge=1, le=20)
    """Training folds on which a trial is measured; the others, at least one, confirm the winner."""
    seeds: int = Field(3, ge=1, le=20)
    """Seeds with which the winner is confirmed."""
