"""The MLflow store that results and models are kept in."""

from __future__ import annotations

from rulerank.errors import InputError

CANDIDATE, CHAMPION = "candidate", "champion"
"""Aliases of the registered model: its newest version, and the one that services load."""

OF_FEATURES = "-features"
"""What the name of the model over features has behind that of the ranker."""


def use_store(store: str) -> None:
    """Point MLflow at a store, and reach it once.

    Raises
    ------
    InputError
        It cannot be reached; the message shows no password.

    """
    import mlflow
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    mlflow.set_tracking_uri(store)
    mlflow.set_registry_uri(store)
    try:
        mlflow.search_experiments(max_results=1)
    except (MlflowException, SQLAlchemyError, ImportError, OSError) as error:
        # Not chained: a traceback would show the address as it is.
        raise InputError(
            "track.store",
            f"expected an MLflow store that answers, found none at {store}: {error} Check the address.",
        ) from None
