"""What defines a format: how it is written, and how its engine reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulerank.arrays import DoubleArray, FloatArray
from rulerank.engines.columns import Portable
from rulerank.engines.delivered import Delivery
from rulerank.engines.forest import Forest

MODEL_NAME = "rulerank"
"""The name of the model and of its feature store in an engine."""


@dataclass(frozen=True)
class Format:
    """One format of `rulerank export`.

    Parameters
    ----------
    cosine : Delivery
        How the engine delivers a cosine.
    write : callable
        Writes the files of a ranker into a folder.
    read : callable
        Reads the model from such a folder as the engine would.
    about : str
        How to use the files; a section of the README.
    lift : callable, optional
        Reads from such a folder the amount that the file adds to every score.
    run : callable, optional
        Scores rows with the engine itself, if rulerank has it.

    """

    cosine: Delivery
    write: Callable[[Portable, Path], None]
    read: Callable[[Portable, Path], Forest]
    about: str
    lift: Callable[[Path], float] | None = None
    run: Callable[[Path, FloatArray], DoubleArray] | None = None
