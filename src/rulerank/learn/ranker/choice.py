"""What a ranker is trained with: LightGBM's settings, its depth, and the feature groups it sees."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from pydantic import ValidationError

from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import GROUPS
from rulerank.files import read_json
from rulerank.learn.ranker.groups import with_relevant
from rulerank.settings import Ranker, Section

RANKS = ("first_rank", "fused_rank", "rrf_rank")
"""Features that tell the rank of a pair, the best order first."""


class Choice(Section):
    """What a ranker is trained with; `outputs/tuning/best.json`."""

    ranker: Ranker
    groups: tuple[str, ...]

    def training(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of a features table to learn from.

        They are the first `ranker.depth` of each question in the best order that the table has.
        """
        rank = next((rank for rank in RANKS if rank in table.columns), None)
        return with_relevant(table if rank is None else table.filter(pl.col(rank) <= self.ranker.depth))

    def features(self, everything: FeatureSet) -> FeatureSet:
        """Return the features of the selected groups, in order."""
        for group in GROUPS:
            if group not in self.groups:
                everything = everything.without(group)
        return everything


def read_choice(path: Path) -> Choice:
    """Read a choice.

    Raises
    ------
    InputError
        The file is missing, is not JSON or holds a value out of range.

    """
    try:
        return Choice.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise InputError(
            path, f"{place}: {first['msg'].lower()}. Rebuild it with `dvc repro tune`."
        ) from error
