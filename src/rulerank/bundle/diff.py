"""What differs between two bundles: files, settings, features, models, and the scores of golden questions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.bundle.contents import Bundle
from rulerank.bundle.golden import QUESTIONS, asked_in
from rulerank.bundle.load import load_bundle
from rulerank.bundle.names import GOLDEN
from rulerank.features.extract import named_pairs
from rulerank.settings import flat
from rulerank.tables import RANK
from rulerank.tables.arrow_file import read_arrow

CHANGED, SAME_TABLE = "changed", "other bytes, the same table"
"""What is said of a file that both bundles have, if its bytes differ."""

FIRST = 10
"""The number of ranks of a golden question that are compared."""


def compare_bundles(first: Path, second: Path) -> dict[str, Any]:
    """Return what differs between two bundles.

    Returns
    -------
    dict
        `files`: by name, "only in the first", "only in the second", `CHANGED` or `SAME_TABLE`. `settings`: by
        dotted name, the two values. `models`: by name, those that only one has. `features`: by model, the
        names that only one reads or that are of another version. `golden`: by model that both have, the
        result of `agreement`.

    Raises
    ------
    BundleError
        One of them cannot be loaded.

    """
    one, other = load_bundle(first), load_bundle(second)
    said = [dict(flat(each.manifest["settings"])) for each in (one, other)]
    shared = [name for name in one.trained if name in other.trained]
    features = {name: _changed(*(_identities(each, name) for each in (one, other))) for name in shared}
    return {
        "files": _changed_files(first, second, one, other),
        "settings": {
            name: [each.get(name) for each in said]
            for name in sorted({*said[0], *said[1]})
            if said[0].get(name) != said[1].get(name)
        },
        "models": _changed(dict.fromkeys(one.trained), dict.fromkeys(other.trained)),
        "features": {name: changed for name, changed in features.items() if changed},
        "golden": agreement(one, other, read_arrow(first / GOLDEN / QUESTIONS)),
    }


def agreement(one: Bundle, other: Bundle, questions: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Ask the trees of two bundles the same questions.

    Returns
    -------
    dict
        By model that both have: `candidates`, the share of the first bundle's candidates that the second also
        finds; `difference`, the greatest difference between the two scores of a candidate; `leaders`, the
        share of the first `FIRST` ranks that the two have in common.

    """
    asked = [_scores(each, questions) for each in (one, other)]
    figures = {}
    for name in (name for name in one.trained if name in other.trained):
        sides = [scores.filter(pl.col("model") == name) for scores in asked]
        both = sides[0].join(sides[1], on=["query_id", "passage_id"], suffix=" other")
        best = [side.filter(pl.col("rank") <= FIRST).select("query_id", "passage_id") for side in sides]
        common = best[0].join(best[1], on=["query_id", "passage_id"])
        differences = (both["score"] - both["score other"]).abs()
        figures[name] = {
            "candidates": both.height / max(sides[0].height, 1),
            "difference": float(np.max(differences.to_numpy(), initial=0)),
            "leaders": common.height / max(best[0].height, 1),
        }
    return figures


def _scores(bundle: Bundle, questions: pl.DataFrame) -> pl.DataFrame:
    """Return model, query_id, passage_id, score and rank of the candidates of some questions."""
    frames = []
    for batch in bundle.described(asked_in(bundle, questions)):
        pairs = named_pairs(batch.pairs)
        for name, scores in bundle.own_scores(batch).items():
            frames.append(
                pairs.select(pl.lit(name).alias("model"), pl.all(), score=scores).with_columns(rank=RANK)
            )
    return pl.concat(frames)


def _changed_files(first: Path, second: Path, one: Bundle, other: Bundle) -> dict[str, str]:
    said = _changed(one.manifest["files"], other.manifest["files"])
    # A table that was changed and changed back has other unused bytes.
    tables = (name for name, how in said.items() if how == CHANGED and name.endswith(".arrow"))
    same = [name for name in tables if read_arrow(first / name).equals(read_arrow(second / name))]
    return {**said, **dict.fromkeys(same, SAME_TABLE)}


def _changed(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, str]:
    said = {}
    for name in sorted({*first, *second}):
        if name not in second:
            said[name] = "only in the first"
        elif name not in first:
            said[name] = "only in the second"
        elif first[name] != second[name]:
            said[name] = CHANGED
    return said


def _identities(bundle: Bundle, model: str) -> dict[str, Any]:
    return {each["name"]: each for each in bundle.trained[model].features.identities}
