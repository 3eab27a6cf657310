"""Training on several corpora: the rows that other corpora lend to a ranker, besides its own.

A feature means the same for a candidate in every corpus, so a row of one corpus can teach a ranker of
another. The ids of passages do not carry over, and nothing here reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.files import read_json, replacing, write_json
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.groups import WEIGHT
from rulerank.tables import FEATURES


def lend(training: pl.LazyFrame, features: FeatureSet, choice: Choice, name: str, folder: Path) -> int:
    """Write the rows that a ranker learns from, so that rankers of other corpora can learn from them too.

    Parameters
    ----------
    training : polars.LazyFrame
        From `recipe.training_rows`.
    features : FeatureSet
        All of its features.
    choice : Choice
        Its depth: how many candidates of each question a ranker learns from.
    name : str
        The name of the corpus among the others.
    folder : Path
        Where `<name>.parquet` and `<name>.json`, the features' identities, are written.

    Returns
    -------
    int
        The number of rows.

    """
    columns = [*FEATURES.columns, *features.names, "fold"]
    rows = choice.training(training.select(columns).collect())
    with replacing(folder / f"{name}.parquet") as temporary:
        rows.write_parquet(temporary)
    write_json(folder / f"{name}.json", features.identities)
    return rows.height


def with_lent_rows(
    training: pl.LazyFrame, own: str, features: FeatureSet, weights: Mapping[str, float], folder: Path
) -> pl.LazyFrame:
    """Add the rows that other corpora lend, in the order of the corpora's names.

    The order depends on nothing else, so the same corpora give the same ranker whichever of them is the
    ranker's own. The questions of the others are assigned to the folds of the ranker's own questions.

    Parameters
    ----------
    training : polars.LazyFrame
        From `recipe.training_rows`.
    own : str
        The name of the ranker's own corpus.
    features : FeatureSet
        The features to learn from.
    weights : mapping of str to float
        By corpus, the weight of its questions; the ranker's own have 1.
    folder : Path
        Where `lend` wrote the rows.

    Raises
    ------
    InputError
        A corpus is the ranker's own, or has lent nothing, or lends features of another identity.

    """
    if not weights:
        return training
    if own in weights:
        raise InputError(
            "ranker.others",
            f"expected other corpora, found {own}, which is this one. Take it out of params.yaml.",
        )
    columns = [*FEATURES.columns, *features.names, "fold"]
    folds = training.select(pl.col("fold").max()).collect().item() + 1
    parts = {own: training.select(*columns, WEIGHT, "own")}
    for name, weight in weights.items():
        _require_same_features(features, name, folder)
        parts[name] = pl.scan_parquet(folder / f"{name}.parquet", glob=False).select(
            pl.concat_str(pl.lit(f"{name}/"), "query_id").alias("query_id"),
            *columns[1:-1],
            pl.col("fold") % folds,
            pl.lit(weight, pl.Float32).alias(WEIGHT),
            own=pl.lit(False),
        )
    return pl.concat([parts[name] for name in sorted(parts)])


def _require_same_features(features: FeatureSet, name: str, folder: Path) -> None:
    described = folder / f"{name}.json"
    if not described.is_file():
        raise InputError(
            described,
            f"expected what the corpus {name} lends, found nothing. Run `python experiments/lend.py` where "
            "it was trained, or take it out of ranker.others in params.yaml.",
        )
    lent = {each["name"]: each for each in read_json(described)}
    other = [each.name for each in features if lent.get(each.name) != each.identity]
    if other:
        raise InputError(
            described,
            f"expected this ranker's features, found others or none of {', '.join(other)}. "
            "Train the other corpus with the same version and features, and lend it again.",
        )
