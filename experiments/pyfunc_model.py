"""The exported ranker as an MLflow model, defined as code: loading it unpickles nothing."""

from __future__ import annotations

from typing import Any

import mlflow
import pandas as pd
from mlflow.pyfunc.model import PythonModel, PythonModelContext

import rulerank

COLUMNS = [
    "question",
    "rank",
    "passage_id",
    "document_id",
    "document",
    "section",
    "text",
    "score",
    "probability",
]


class RankerModel(PythonModel):
    """Questions in, ranked passages out."""

    def load_context(self, context: PythonModelContext) -> None:
        """Load the bundle that was logged with the model."""
        self.ranker = rulerank.load(context.artifacts["bundle"])

    def predict(
        self, context: PythonModelContext, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> pd.DataFrame:
        """Rank the passages for each row's `question`; `params["k"]` passages a question."""
        del context
        k = int((params or {}).get("k", 10))
        rows = [
            [question, *(getattr(passage, column) for column in COLUMNS[1:])]
            for question in model_input["question"]
            for passage in self.ranker.rank(question, k)
        ]
        return pd.DataFrame(rows, columns=COLUMNS)


mlflow.models.set_model(RankerModel())
