"""The gate between a new ranker and the one that services load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from rulerank.bundle import RANKER
from rulerank.errors import InputError
from rulerank.evaluate.comparison import Result, comparable
from rulerank.evaluate.measures import MEASURE, MEASURES
from rulerank.evaluate.named_results import find_result
from rulerank.evaluate.significance import compare
from rulerank.evaluate.tracking import CHAMPION, require_existing, use_store

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities.model_registry import ModelVersion

LEVEL = 0.05
"""The p-value below which a gain counts."""

ABSENT = ("RESOURCE_DOES_NOT_EXIST", "INVALID_PARAMETER_VALUE")
"""MLflow's codes for a model or version, and for an alias, that does not exist."""


@dataclass(frozen=True)
class Gate:
    """The test that a candidate has to pass.

    Parameters
    ----------
    split : str, optional (default="validation")
        The questions on which both are measured.
    measure : str, optional (default="nDCG@10")
        The measure by which they are compared.
    permutations, seed : int, optional
        For the paired randomisation test.

    """

    split: str = "validation"
    measure: str = MEASURE
    permutations: int = 10_000
    seed: int = 7


@dataclass(frozen=True)
class Decision:
    """The decision on a candidate: whether it is now the champion, and why."""

    promoted: bool
    reason: str


def promote(model: str, candidate: str, store: str, gate: Gate) -> Decision:
    """Make a version of a registered model the champion if it beats the current one.

    In that case the alias `champion` moves to it, and to the newest version of everything else that its run
    has registered.

    Parameters
    ----------
    model : str
        The registered model.
    candidate : str
        Alias or number of the version.
    store : str
        The MLflow store.
    gate : Gate
        The test that it has to pass.

    Raises
    ------
    InputError
        The store, the model, the version or the measure does not exist, a version has no evaluation, or the
        store does not answer.

    """
    from mlflow import MlflowClient

    if gate.measure not in MEASURES:
        raise InputError(
            "--measure",
            f"expected one of {', '.join(MEASURES)}, found {gate.measure!r}. Choose one of them.",
        )
    require_existing(store)
    use_store(store)
    client = MlflowClient()
    with _answering(store):
        new = _version(client, model, candidate)
        champion = _version(client, model, CHAMPION)
    if new is None:
        raise InputError(
            model,
            f"expected a registered version {candidate!r} in {store}, found none. Run `dvc repro track`.",
        )
    decision = _judge(new, champion, store, gate)
    if decision.promoted:
        with _answering(store):
            for name, version in _of_run(client, new).items():
                client.set_registered_model_alias(name, CHAMPION, str(version))
    return decision


def _of_run(client: MlflowClient, chosen: ModelVersion) -> dict[str, int]:
    """Return the chosen version and the newest one of each other model of its run, by name."""
    newest: dict[str, int] = {}
    for each in client.search_model_versions(f"run_id = '{chosen.run_id}'"):
        newest[each.name] = max(int(each.version), newest.get(each.name, 0))
    # A run may have been registered twice: the version that was tested is not always its newest.
    return {**newest, chosen.name: int(chosen.version)}


@contextmanager
def _answering(store: str) -> Iterator[None]:
    """Turn an error of a store into an InputError."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, OSError) as error:
        # Not chained, because a traceback would show the address unredacted.
        raise InputError(
            "track.store",
            f"expected a model registry that responds, found none at {store}: {error} Try again.",
        ) from None


def _version(client: MlflowClient, model: str, name: str) -> ModelVersion | None:
    """Return a version of a model, or None if there is none; a store that fails is not one without it."""
    from mlflow.exceptions import MlflowException

    try:
        if name.isascii() and name.isdecimal():
            return client.get_model_version(model, name)
        return client.get_model_version_by_alias(model, name)
    except MlflowException as error:
        if error.error_code not in ABSENT:
            raise
        return None


def _judge(new: ModelVersion, champion: ModelVersion | None, store: str, gate: Gate) -> Decision:
    own = _result(new, store, gate.split)
    if champion is None:
        return Decision(True, f"version {new.version} is the first champion")
    if champion.run_id == new.run_id:
        return Decision(False, f"version {new.version} is of the champion's own run")
    results = [own, _result(champion, store, gate.split)]
    if len(comparable(results)) > 1:
        stated = (f"{each.data}, {each.protocol}, {each.scores.height} questions" for each in results)
        return Decision(
            False,
            f"no comparison: versions {new.version} and {champion.version} were measured on different "
            f"{gate.split} questions, texts or relevant passages ({'; '.join(stated)})",
        )
    labels = [each.label for each in results]
    scores = pl.concat([each.scores for each in results])
    (row,) = compare(scores, labels[0], labels[1:], gate.measure, gate.permutations, gate.seed).to_dicts()
    better = row["difference"] > 0 and row["p_value"] < LEVEL
    return Decision(
        better,
        f"version {new.version} against champion {champion.version} on {results[0].scores.height} "
        f"{gate.split} questions: {gate.measure} {row['difference']:+.4f} ({row['low']:+.4f} to "
        f"{row['high']:+.4f}), p = {row['p_value']:.4f}; expected a gain with p < {LEVEL}",
    )


def _result(version: ModelVersion, store: str, split: str) -> Result:
    if not version.run_id:
        raise InputError(
            f"{version.name} {version.version}",
            "expected a version that the stage track registered with its run, found one without a run. "
            "Choose another version, or run `dvc repro track`.",
        )
    return find_result(str(version.run_id), split, RANKER, store)[1]
