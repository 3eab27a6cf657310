"""The exported ranker as an MLflow model, defined as code, so that loading it unpickles nothing."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

import mlflow
import pandas as pd
from mlflow.exceptions import MlflowException
from mlflow.pyfunc.model import PythonModel, PythonModelContext

import rulerank
from rulerank.commands.output import without_nan
from rulerank.errors import InputError
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
        try:
            rows = [
                _row(question, passage)
                for question in model_input["question"]
                for passage in self.ranker.rank(question, **(params or {}))
            ]
        except InputError as error:
            # A server of MLflow repeats its own errors; of any other it shows nothing but the stack trace.
            raise MlflowException.invalid_parameter_value(str(error)) from error
        return pd.DataFrame(rows, columns=COLUMNS)


def _row(question: str, passage: RankedPassage) -> dict[str, Any]:
    """Return a row whose reasons hold no NaN, which MLflow would write into JSON, where it is not allowed."""
    stated = asdict(passage)
    return {"question": question, **stated, "reasons": without_nan(stated["reasons"])}


mlflow.models.set_model(RankerModel())
