"""Sections of params.yaml on the use of a trained ranker: answers, measures, explanations, tracking."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from rulerank.settings.section import Name, Section

STORES = ("sqlite", "mysql", "postgresql", "mssql", "http", "https", "file", "databricks", "databricks-uc")
"""Schemes of the addresses where MLflow keeps runs; that of a database may name its driver after a +."""


def require_store(store: str) -> str:
    """Return the address of an MLflow store; ValueError if its scheme is not one of `STORES`."""
    scheme, _, rest = store.partition(":")
    if scheme.partition("+")[0] not in STORES or not (rest or scheme.startswith("databricks")):
        raise ValueError(
            "expected an MLflow store, such as sqlite:///mlflow.db, another database (mysql://, "
            f"postgresql://, mssql://), http(s)://, file: or databricks, found {store!r}"
        )
    return store


class Answering(Section):
    """How a ranking becomes an answer."""

    wrong_abstentions: float = Field(0.08, ge=0, lt=1)
    """Share of the training questions that may be declined although their passages are there."""


class Evaluate(Section):
    """What is measured."""

    permutations: int = Field(10_000, ge=100)
    """Rounds of the paired randomisation test."""


class Explain(Section):
    """Bounds of the stage explain: one prediction by the trees costs more than everything else in it."""

    pairs: int = Field(20_000, ge=1)
    """Most pairs of validation questions that are shuffled: whole questions, at least one."""
    repeats: int = Field(1, ge=1, le=100)
    """Shuffles of each column."""
    drawn: int = Field(1_000, ge=1)
    """Most pairs whose SHAP values are drawn."""
    depth: int = Field(20, ge=1)
    """First passages of each question, in the ranker's order, from which those pairs are drawn."""


class Track(Section):
    """Where MLflow keeps the runs."""

    store: Annotated[str, AfterValidator(require_store)] = "sqlite:///mlflow.db"
    name: str = ""
    """Name of the run; by default the name of the data and a hash."""
    experiment: Name = "rulerank"
