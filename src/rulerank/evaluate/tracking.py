"""The MLflow store in which results and models are kept."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from rulerank.errors import InputError
from rulerank.settings import require_store

CANDIDATE, CHAMPION = "candidate", "champion"
"""Aliases of the registered model: its newest version, and the one that services load."""

OF_FEATURES = "-features"
"""What the name of the model over features appends to the name of the ranker."""

RETRIES = "MLFLOW_HTTP_REQUEST_MAX_RETRIES"
"""How often MLflow repeats a request; by default seven times, four minutes for a closed port."""


def require_existing(store: str) -> None:
    """Raise InputError unless `store` is a store; MLflow would create a missing file of SQLite."""
    try:
        require_store(store)
    except ValueError as error:
        raise InputError("store", f"{error}.") from error
    address = urlsplit(store)
    if address.scheme.partition("+")[0] == "sqlite" and not Path(address.path[1:]).is_file():
        raise InputError(store, "expected an MLflow store, found no file. Run `dvc repro` first.")


def use_store(store: str) -> None:
    """Point MLflow at a store, and check that it can be reached.

    Raises
    ------
    InputError
        The store cannot be reached. The message shows no password.

    """
    import mlflow
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    os.environ.setdefault(RETRIES, "3")
    mlflow.set_tracking_uri(store)
    mlflow.set_registry_uri(store)
    try:
        mlflow.search_experiments(max_results=1)
    except (MlflowException, SQLAlchemyError, ImportError, OSError) as error:
        # Not chained, because a traceback would show the address unredacted.
        raise InputError(
            "track.store",
            f"expected an MLflow store that responds, found none at {store}: {error} Check the address.",
        ) from None
