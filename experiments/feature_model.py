"""The trees of an exported ranker as an MLflow model, defined as code: features in, scores out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlflow
import numpy as np
import pandas as pd
from mlflow.exceptions import MlflowException
from mlflow.pyfunc.model import PythonModel, PythonModelContext
from numpy.typing import NDArray

from rulerank.arrays import DoubleArray
from rulerank.bundle import ON_NEW_RULES, RANKER, WITH_JUDGEMENT
from rulerank.bundle.names import TRUST, affinity_of
from rulerank.errors import InputError
from rulerank.features.trust import LOOKED_AT, trusted
from rulerank.files import read_json
from rulerank.ranker.checks import require_model
from rulerank.trees import Trees


class Scorer(PythonModel):
    """Scores rows of features as the bundle does from which the trees come."""

    def load_context(self, context: PythonModelContext) -> None:
        """Load the trees that were logged with the model."""
        folder = Path(context.artifacts["models"])
        found = {path.stem for path in folder.glob("*.txt")}
        # What the company of a passage adds is no score of its own.
        models = sorted(found - set(map(affinity_of, found)))
        self.trees = {name: Trees.read(folder / f"{name}.txt") for name in models}
        self.trust = read_json(folder / TRUST)
        self.choices = [*models, *([WITH_JUDGEMENT] if self.trust is not None else [])]

    def predict(
        self, context: PythonModelContext, model_input: pd.DataFrame, params: dict[str, Any] | None = None
    ) -> pd.DataFrame:
        """Score each row with the model that `params` names, by default the ranker."""
        del context
        name = (params or {}).get("model", RANKER)
        try:
            require_model(name, self.choices)
        except InputError as error:
            # A server of MLflow repeats its own errors; of any other it shows nothing but the stack trace.
            raise MlflowException.invalid_parameter_value(str(error)) from error
        scores = self._scores(RANKER if name == WITH_JUDGEMENT else name, model_input)
        if name == RANKER and self.trust is not None:
            own = trusted(_matrix(model_input, list(LOOKED_AT)), self.trust)
            scores = own * scores + (1 - own) * self._scores(ON_NEW_RULES, model_input)
        return pd.DataFrame({"score": scores})

    def _scores(self, name: str, rows: pd.DataFrame) -> DoubleArray:
        trees = self.trees[name]
        return trees.scores(_matrix(rows, trees.names))


def _matrix(rows: pd.DataFrame, columns: list[str]) -> NDArray[np.float32]:
    matrix: NDArray[np.float32] = rows[columns].to_numpy(np.float32)
    return matrix


mlflow.models.set_model(Scorer())
