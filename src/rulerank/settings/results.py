"""Sections of params.yaml on what is done with a trained ranker."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from rulerank.settings.section import Name, Section

STORES = ("sqlite", "mysql", "postgresql", "mssql", "http", "https", "file", "databricks", "databricks-uc")
"""Schemes of the addresses that MLflow keeps runs at; after a + may stand the driver of a database."""


def require_store(store: str) -> str:
    """Return the address of an MLflow store; ValueError where it is none by its scheme."""
    scheme, _, rest = store.partition(":")
    if scheme.partition("+")[0] not in STORES or not (rest or scheme.startswith("databricks")):
        raise ValueError(
            "expected an MLflow store, such as sqlite:///mlflow.db, another database (mysql://, "
            f"postgresql://, mssql://), http(s)://, file: or databricks, found {store!r}"
        )
    return store


class Answer(Section):
    """The score-based tail filter (ObliQA-MP) before an answer is put together."""

    tau_min: float = Field(0.7, ge=0, le=1)
    tau_delta: float = Field(0.2, ge=0, le=1)


class Evaluate(Section):
    """What is measured."""

    permutations: int = Field(10_000, ge=100)
    """Rounds of the paired randomisation test."""


class Explain(Section):
    """What bounds the stage explain: one prediction of the trees costs more than everything else in it."""

    pairs: int = Field(20_000, ge=1)
    """Pairs of validation questions that are shuffled, at most; whole questions, at least one."""
    repeats: int = Field(1, ge=1, le=100)
    """Shuffles of each column."""
    drawn: int = Field(1_000, ge=1)
    """Pairs whose SHAP values are drawn, at most."""
    depth: int = Field(20, ge=1)
    """First passages of each question, as the ranker orders them, that those are drawn from."""


class Track(Section):
    """Where MLflow keeps the runs."""

    store: Annotated[str, AfterValidator(require_store)] = "sqlite:///mlflow.db"
    name: str = ""
    """Name of the run; by default that of the data and a hash."""
    experiment: Name = "rulerank"
