"""The exported ranker as an MLflow model, defined as code, so that loading it unpickles nothing."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import mlflow
import pandas as pd
from mlflow.pyfunc.model import PythonModel, PythonModelContext

import rulerank
from rulerank.passages import RankedPassage

COLUMNS = ("question", *(field.name for field in fields(RankedPassage)))


class RankerModel(PythonModel):
    """Questions in, ranked passages out."""

    def load_context(self, context: PythonModelContext) -> None:
        """Load the bundle that was logged with the model."""
        self.ranker = rulerank.load(context.artifacts["bundle"])

    def predict(
        self, context: PythonModelContext, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> pd.DataFrame:
        """Rank the passages for each row's `question`, with the arguments of `Ranker.rank` in `params`."""
        del context
        rows = [
            {"question": question, **asdict(passage)}
            for question in model_input["question"]
            for passage in self.ranker.rank(question, **(params or {}))
        ]
        return pd.DataFrame(rows, columns=COLUMNS)


mlflow.models.set_model(RankerModel())
