"""What a ranker is trained with: LightGBM's settings, how deep it looks, which feature groups it sees."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from pydantic import Field, ValidationError

from rulerank.errors import InputError
from rulerank.features.registry import GROUPS, FeatureSet
from rulerank.files import read_json
from rulerank.learn.ranker.lambdamart import with_relevant
from rulerank.retrieve.search import GENERATORS
from rulerank.settings import Ranker, Section


class Choice(Section):
    """What a ranker is trained with; `outputs/tuning/best.json`."""

    ranker: Ranker
    depth: int = Field(ge=1)
    """Pairs that no run ranks so well are not learned from; all candidates are ranked and measured."""
    groups: tuple[str, ...]

    def training(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of a features table that are learned from.

        A table without the rank of every run does not tell how deep a pair stands: all its rows are.
        """
        ranks = [f"{run}_rank" for run in GENERATORS]
        if not set(ranks) <= set(table.columns):
            return with_relevant(table)
        return with_relevant(table.filter(pl.min_horizontal(pl.col(ranks).fill_nan(None)) <= self.depth))

    def features(self, everything: FeatureSet) -> FeatureSet:
        """Return the features of the groups kept, in order."""
        for group in GROUPS:
            if group not in self.groups:
                everything = everything.without(group)
        return everything


def groups_of(features: FeatureSet) -> tuple[str, ...]:
    """Return the groups that a set has features of, in the order of the registry."""
    present = {each.group for each in features}
    return tuple(group for group in GROUPS if group in present)


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
