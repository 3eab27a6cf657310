"""The models of a bundle, read from its folder, with what chooses between them and what follows them."""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rulerank.answer.selection import Selection
from rulerank.bundle.damage import expecting, require
from rulerank.bundle.model import Model
from rulerank.bundle.names import (
    AFFINITY,
    CALIBRATION,
    COMPLETION,
    FEATURES,
    FIRST_PASS,
    ON_NEW_RULES,
    RANKER,
    SELECTION,
    STANDING,
    TRUST,
    affinity_of,
)
from rulerank.errors import BundleError
from rulerank.features.affinity import Affinity
from rulerank.features.company import DESCRIBED, columns_of
from rulerank.features.completion import Completion
from rulerank.features.feature_set import FeatureSet
from rulerank.features.standing import Standing
from rulerank.features.trust import LOOKED_AT, Limits
from rulerank.files import read_json
from rulerank.trees import GRAPH, Trees

REMEDY = "Train the ranker again, or load it with the version named in manifest.json."


def load_models(folder: Path, manifest: Mapping[str, Any], known: FeatureSet) -> dict[str, Model]:
    """Read every model of a bundle, the first pass among them.

    Parameters
    ----------
    folder : Path
        The bundle.
    manifest : mapping
        Its manifest.
    known : FeatureSet
        The features that this version has.

    Raises
    ------
    BundleError
        A model is missing or damaged, or reads features of another version.

    """
    with expecting(f"features by model, {RANKER!r} among them", folder / FEATURES):
        described = read_json(folder / FEATURES)
        require(isinstance(described, dict) and RANKER in described, "something else")
        for file in (f"{name}{suffix}" for name in described for suffix in (".txt", GRAPH)):
            require(file in manifest["files"], f"a model without its file {folder / file}")
    with expecting("a finite slope and intercept for each model", folder / CALIBRATION):
        curves = read_json(folder / CALIBRATION)
        require(curves.keys() == described.keys(), f"{', '.join(curves)}")
        for name, curve in curves.items():
            require(curve.keys() == {"slope", "intercept"} and _finite(*curve.values()), f"{name}: {curve}")
    completions = _completions(folder, described)
    features = {name: _features(folder, known, said) for name, said in described.items()}
    affinities, standing = _affinities(folder, manifest, features), _standing(folder, features)
    return {
        name: Model(
            _trees(folder, name, own.names),
            own,
            curves[name],
            completions.get(name),
            affinities.get(name),
            standing.get(name),
        )
        for name, own in features.items()
    }


def _standing(folder: Path, models: Mapping[str, FeatureSet]) -> dict[str, Standing]:
    with expecting("what the standing of a candidate adds", folder / STANDING, REMEDY):
        said = read_json(folder / STANDING)
        expected = {ON_NEW_RULES} & {*models}
        require(expected <= {*said} <= {*models} - {FIRST_PASS}, f"models {', '.join(said)}")
        return {name: Standing.read(each, models[name].names) for name, each in said.items()}


def _affinities(
    folder: Path, manifest: Mapping[str, Any], models: Mapping[str, FeatureSet]
) -> dict[str, Affinity]:
    affinities = {}
    with expecting("what the company of a passage adds", folder / AFFINITY, REMEDY):
        said = read_json(folder / AFFINITY)
        require(all(name in models for name in said), f"models {', '.join(said)}")
        for name, each in said.items():
            known = [feature for feature in DESCRIBED if feature in models[name].names]
            require(each["described"] == known, f"{name}: {each['described']}, where it reads {known}")
            for file in (f"{affinity_of(name)}{suffix}" for suffix in (".txt", GRAPH)):
                require(file in manifest["files"], f"{name} without its file {folder / file}")
    for name, each in said.items():
        trees = _trees(folder, affinity_of(name), columns_of(each["described"]))
        with expecting("what the company of a passage adds", folder / AFFINITY, REMEDY):
            affinities[name] = Affinity.read(trees, each)
    return affinities


def _completions(folder: Path, models: Container[str]) -> dict[str, Completion]:
    with expecting("what completes judged sets", folder / COMPLETION, REMEDY):
        completions = {name: Completion.read(said) for name, said in read_json(folder / COMPLETION).items()}
        require(all(name in models for name in completions), f"models {', '.join(completions)}")
        return completions


def load_trust(folder: Path, models: Mapping[str, Model], first: Model | None) -> Limits | None:
    """Read how far `RANKER` answers itself."""
    with expecting(f"null, or two rising numbers for {' and '.join(LOOKED_AT)}", folder / TRUST):
        trust: Limits | None = read_json(folder / TRUST)
        if trust is not None:
            require(trust.keys() <= set(LOOKED_AT), f"{trust}"[:200])
            for half, full in trust.values():
                require(_finite(half, full) and half <= full, f"{half} and {full}")
            require(ON_NEW_RULES in models, f"numbers, but no model {ON_NEW_RULES}")
            read = {*models[RANKER].features.names, *(first.features.names if first else ())}
            require(read >= set(LOOKED_AT), "numbers for features that no model reads")
        return trust


def load_selections(folder: Path, models: Mapping[str, Model]) -> dict[str, Selection]:
    """Read how evidence is selected from the ranking of each model."""
    with expecting("what selects evidence", folder / SELECTION, REMEDY):
        return {
            name: Selection.read(said, models[name].features.names)
            for name, said in read_json(folder / SELECTION).items()
        }


def _features(folder: Path, known: FeatureSet, described: list[dict[str, Any]]) -> FeatureSet:
    with expecting("a name and an identity for each feature", folder / FEATURES, REMEDY):
        names = [each["name"] for each in described]
        unknown = [name for name in names if name not in known.names]
        require(not unknown, f"features that this version does not have: {', '.join(unknown)}"[:300])
        features = known.named(names)
        said = [{key: value for key, value in each.items() if key != "definition"} for each in described]
    other = [each["name"] for each, now in zip(said, features.identities, strict=True) if each != now]
    if other:
        raise BundleError(
            f"{folder / FEATURES}: the ranker was trained with other versions of {', '.join(other)} than "
            f"this version of rulerank has. {REMEDY}"
        )
    return features


def _trees(folder: Path, name: str, names: list[str]) -> Trees:
    path = folder / f"{name}.txt"
    with expecting("a model as LightGBM writes it", path):
        text = Trees(path.read_text(encoding="utf-8")).text
    with expecting("a graph of the model", path.with_suffix(GRAPH)):
        trees = Trees(text, path.with_suffix(GRAPH).read_bytes())
    with expecting("a model as LightGBM writes it", path):
        # Reading the nodes checks them.
        columns = trees.nodes.column
        require(0 <= columns.min() <= columns.max() < len(trees.names), "splits on columns that it lacks")
        require(trees.names == names, f"columns other than the {len(names)} that this version gives it")
    return trees


def _finite(*values: Any) -> bool:
    return all(type(each) in (int, float) for each in values) and bool(np.isfinite(values).all())
