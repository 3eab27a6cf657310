"""Which encoder embeds a question: the one trained on everything, or one that has not seen its fold."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rulerank.arrays import IntArray
from rulerank.files import read_json, write_json
from rulerank.learn.out_of_fold import Fold

BASE = "base"
"""Name of the pretrained encoder."""

FULL = "full"
"""Name of the encoder that was trained on all folds."""

_FILE = "plan.json"


def without_part(part: int) -> str:
    """Return the name of the encoder that has not seen a part of the folds."""
    return f"without_part_{part}"


@dataclass(frozen=True)
class EncoderPlan:
    """The encoders of a run.

    Parameters
    ----------
    parts : int
        Number of encoders that have each not seen a part of the folds; 0 without fine-tuning.
    both_sides : bool
        Whether the fine-tuned encoders also embed the passages.

    """

    parts: int
    both_sides: bool

    @property
    def trained(self) -> list[str]:
        """Names of the encoders to train."""
        return [FULL, *map(without_part, range(self.parts))] if self.parts else []

    def of_queries(self, fold: Fold) -> str:
        """Return the encoder that embeds the questions of a fold, or, for None, all other questions."""
        if not self.parts:
            return BASE
        return FULL if fold is None else without_part(fold % self.parts)

    def of_passages(self, fold: Fold) -> str:
        """Return the encoder that embeds the passages with which those questions are compared."""
        return self.of_queries(fold) if self.both_sides else BASE

    def training_questions(self, encoder: str, folds: IntArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Return which questions an encoder is trained on.

        Parameters
        ----------
        encoder : str
            One of `trained`.
        folds : array of shape (queries,)
            The fold of each training question.

        """
        if encoder == FULL:
            return np.ones(len(folds), bool)
        kept: np.ndarray[tuple[int], np.dtype[np.bool_]] = (
            folds % self.parts != self.trained.index(encoder) - 1
        )
        return kept

    def write(self, folder: Path) -> None:
        """Write the plan beside the encoders."""
        write_json(folder / _FILE, {"parts": self.parts, "both_sides": self.both_sides})

    @classmethod
    def read(cls, folder: Path) -> EncoderPlan:
        """Read the plan beside the encoders."""
        return cls(**read_json(folder / _FILE))
