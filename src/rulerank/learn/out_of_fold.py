"""Models fitted without each fold and on all folds, so that training questions get models new to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np
import polars as pl

from rulerank.arrays import BoolArray, IntArray
from rulerank.console import progress
from rulerank.files import read_json, write_json

Fitted = TypeVar("Fitted")
Other = TypeVar("Other")

Fold = int | None
"""A fold's number, or None for all questions outside the training set: validation, test and users."""

FOLDS = "folds.json"


@dataclass(frozen=True, eq=False)
class OutOfFold(Generic[Fitted]):
    """One model fitted on all training questions, and one without each fold.

    Parameters
    ----------
    full : Fitted
        Fitted on all folds.
    without : mapping of int to Fitted
        The models by the fold that was left out.

    """

    full: Fitted
    without: Mapping[int, Fitted]

    def for_fold(self, fold: Fold) -> Fitted:
        """Return the model for the questions of a fold, or, for None, for all other questions.

        A fold that gave no training example has no model of its own. The one fitted on all has not seen it.
        """
        return self.full if fold is None else self.without.get(fold, self.full)

    def items(self) -> Iterator[tuple[Fold, Fitted]]:
        """Yield each fold with the model fitted without it, and finally None with the one fitted on all."""
        yield from self.without.items()
        yield None, self.full

    def map(self, function: Callable[[Fitted], Other]) -> OutOfFold[Other]:
        """Return the same with a function applied to each part."""
        return OutOfFold(function(self.full), {fold: function(each) for fold, each in self.without.items()})

    def save(self, folder: Path, write: Callable[[Fitted, Path], None]) -> None:
        """Write each part with `write`, which receives the part and its own path in the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for fold, each in self.items():
            write(each, folder / _name(fold))
        write_json(folder / FOLDS, sorted(self.without))

    @classmethod
    def load(cls, folder: Path, read: Callable[[Path], Fitted]) -> OutOfFold[Fitted]:
        """Read the files that `save` wrote; `read` receives the paths that `write` received."""
        without = {fold: read(folder / _name(fold)) for fold in read_json(folder / FOLDS)}
        return cls(read(folder / _name(None)), without)


@dataclass(frozen=True, eq=False)
class Folds:
    """Which fold's models serve each of Q training questions, and which must not learn from it.

    Parameters
    ----------
    served_by : int array of shape (Q,)
        The fold of the models that serve each question.
    hidden : boolean array of shape (Q, folds)
        Which questions are hidden from the models of which fold.

    """

    served_by: IntArray
    hidden: BoolArray

    @classmethod
    def of(cls, training: pl.DataFrame) -> Folds:
        """Return the folds of questions from the columns served_by and hidden_from of the table FOLDS."""
        served_by = training["served_by"].to_numpy().astype(np.int64)
        hidden_from = training["hidden_from"]
        rows = np.repeat(np.arange(training.height), hidden_from.list.len().to_numpy())
        columns = hidden_from.explode(empty_as_null=False).to_numpy()
        hidden = np.zeros((training.height, int(columns.max(initial=-1)) + 1), np.bool_)
        hidden[rows, columns] = True
        return cls(served_by, hidden)

    @property
    def served(self) -> list[int]:
        """The folds that serve a question, ascending."""
        return [int(fold) for fold in np.unique(self.served_by)]

    def learned(self, fold: Fold) -> BoolArray:
        """Return the questions that the models of a fold learn from, shape (Q,); all of them for None."""
        return np.ones(len(self.hidden), np.bool_) if fold is None else ~self.hidden[:, fold]


def fit_out_of_fold(folds: Folds, fit: Callable[[Fold, BoolArray], Fitted], doing: str) -> OutOfFold[Fitted]:
    """Fit one model without each fold, and one on all folds.

    Parameters
    ----------
    folds : Folds
        The folds of the training questions.
    fit : callable
        Receives a fold (None for all of them) and which questions to fit on, shape (queries,).
    doing : str
        The text of the progress bar.

    """
    plan: list[Fold] = [*folds.served, None]
    fitted = {fold: fit(fold, folds.learned(fold)) for fold in progress(plan, doing)}
    full = fitted.pop(None)
    return OutOfFold(full, {fold: each for fold, each in fitted.items() if fold is not None})


def _name(fold: Fold) -> str:
    return "full" if fold is None else f"without_fold_{fold}"
