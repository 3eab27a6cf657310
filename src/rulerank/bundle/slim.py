"""A bundle of one model, without what that model does not need."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rulerank.bundle.card import CARD, model_card
from rulerank.bundle.contents import Bundle
from rulerank.bundle.destination import require_replaceable
from rulerank.bundle.diff import agreement
from rulerank.bundle.golden import EXTRACTED, KEYS, QUESTIONS, score_of
from rulerank.bundle.golden_rows import golden_path
from rulerank.bundle.load import load_bundle
from rulerank.bundle.manifest import FACTS_OF_FILES
from rulerank.bundle.names import (
    CALIBRATION,
    FEATURES,
    FIRST_PASS,
    GOLDEN,
    INDEX,
    ON_NEW_RULES,
    RANKER,
    SELECTION,
    TRUST,
    WITH_JUDGEMENT,
    affinity_of,
)
from rulerank.bundle.reference import REFERENCE
from rulerank.bundle.upkeep import UPKEEP
from rulerank.bundle.write import seal, write_added
from rulerank.errors import BundleError, InputError, nearest
from rulerank.features.storage import JUDGEMENTS, TRAINED, TRANSLATION, save_judgements, save_trained
from rulerank.files import read_json, replacing_folder, write_json, write_text
from rulerank.ragged import Ragged
from rulerank.tables.arrow_file import read_arrow
from rulerank.trees import GRAPH


def slim_bundle(folder: Path, out: Path, model: str = RANKER) -> dict[str, Any]:
    """Write a copy of a bundle with one of its models, under the name `RANKER`.

    Everything that the model does not need is left out: the other models with their golden rows, and the data
    for updates of the corpus. If neither the model nor the first pass has a feature of the group `judgement`,
    the judgements and vectors of the training questions are left out too; without one of the group
    `translation`, the table of their words. `RANKER` needs `ON_NEW_RULES` if it
    leaves questions to it.

    Parameters
    ----------
    folder : Path
        The bundle.
    out : Path
        Where the copy goes; a bundle there is replaced.
    model : str, optional
        One of `Bundle.names`.

    Returns
    -------
    dict
        `left_out`, the files that the copy lacks; `bytes`, before and after; `golden`, the `agreement` of the
        model in the two bundles.

    Raises
    ------
    BundleError
        The bundle cannot be loaded, or the copy gives a different score.
    InputError
        The bundle has no such model, or the copy would replace it or a folder that is not a bundle.

    """
    if out.resolve() == folder.resolve():
        raise InputError(out, "expected a folder for the copy, found the bundle. Choose another folder.")
    require_replaceable(out, folder)
    whole = load_bundle(folder)
    if model not in whole.names:
        known, meant = ", ".join(whole.names), nearest(model, whole.names)
        raise InputError("--model", f"expected one of {known}, found {model!r}. Use `--model {meant}`.")
    # The bundle is where a link points; the link stays.
    with replacing_folder(out.resolve()) as temporary:
        shutil.copytree(folder, temporary, dirs_exist_ok=True)
        shutil.rmtree(temporary / UPKEEP, ignore_errors=True)
        facts = _keep(whole, temporary, model)
        seal(temporary, facts)
        write_text(temporary / CARD, model_card(load_bundle(temporary), facts))
        seal(temporary, facts)
        copy, questions = load_bundle(temporary), read_arrow(temporary / GOLDEN / QUESTIONS)
        golden = agreement(_renamed(whole, model), copy, questions)[RANKER]
        if golden != {"candidates": 1.0, "difference": 0.0, "leaders": 1.0}:
            raise BundleError(
                f"{folder}: expected the scores of golden questions from a copy, found {golden}."
            )
        sizes = [sum(each.manifest["sizes"].values()) for each in (whole, copy)]
        left_out = sorted(whole.manifest["files"].keys() - copy.manifest["files"].keys())
    return {"left_out": left_out, "bytes": sizes, "golden": golden}


def _renamed(whole: Bundle, model: str) -> Bundle:
    """Return a bundle whose model `RANKER` is another of its models."""
    kept = {RANKER: whole.models[RANKER if model == WITH_JUDGEMENT else model]}
    return replace(whole, models=kept, trust=None)


def _keep(whole: Bundle, folder: Path, model: str) -> dict[str, Any]:
    """Remove from a copy what a model does not need; return what the manifest says about its origin."""
    forest = RANKER if model == WITH_JUDGEMENT else model
    leaves_to = [ON_NEW_RULES] if model == RANKER and whole.trust is not None else []
    names = {forest: RANKER, **{name: name for name in leaves_to}}
    if whole.first_pass is not None:
        names[FIRST_PASS] = FIRST_PASS
    _keep_models(whole, folder, names)
    write_json(folder / TRUST, whole.trust if leaves_to else None)
    write_json(
        folder / SELECTION,
        {names[name]: each.as_json() for name, each in whole.selections.items() if name in names},
    )
    kept = [each for name in names for each in whole.trained[name].features]
    extracted = read_arrow(folder / GOLDEN / EXTRACTED)
    columns = dict.fromkeys(each.name for each in kept)
    scores = [
        pl.col(score_of(name)).alias(score_of(new))
        for name, new in names.items()
        if score_of(name) in extracted.columns
    ]
    extracted.select(*KEYS, *columns, *scores).write_ipc(folder / GOLDEN / EXTRACTED)
    if (folder / REFERENCE).is_file():
        reference = read_json(folder / REFERENCE)
        write_json(folder / REFERENCE, {name: reference[name] for name in reference if name in columns})
    if all(each.group != "judgement" for each in kept):
        _forget_judgements(whole, folder / INDEX)
    if all(each.group != "translation" for each in kept):
        shutil.rmtree(folder / INDEX / TRANSLATION, ignore_errors=True)
    said = {key: each for key, each in whole.manifest.items() if key not in FACTS_OF_FILES}
    figures = said.get("out_of_fold", {})
    measured = {names[name]: each for name, each in figures.items() if name in names}
    features = whole.trained[forest].features
    described = {"feature_set": features.digest, "groups": features.groups}
    return {**said, **described, "out_of_fold": measured}


def _keep_models(whole: Bundle, folder: Path, names: Mapping[str, str]) -> None:
    trained = whole.trained
    renamed = {**names, **{affinity_of(old): affinity_of(new) for old, new in names.items()}}
    for name in whole.forests:
        files = [folder / f"{name}.txt", folder / f"{name}{GRAPH}", golden_path(folder, name)]
        if name not in renamed:
            for file in files:
                file.unlink()
        elif renamed[name] != name:
            for file in files:
                file.replace(file.with_name(file.name.replace(name, renamed[name])))
    kept = {names[name]: trained[name] for name in sorted(names, key=names.__getitem__)}
    write_json(folder / FEATURES, {name: each.features.describe() for name, each in kept.items()})
    write_json(folder / CALIBRATION, {name: dict(each.curve) for name, each in kept.items()})
    write_added(folder, {names[name]: each for name, each in whole.models.items() if name in names})


def _forget_judgements(whole: Bundle, index: Path) -> None:
    """Write an index as if no training question had been judged; the table of their words stays."""
    known = whole.index.judgements
    nothing = np.empty(0, np.int64)

    def lists(count: int) -> Ragged:
        return Ragged(np.zeros(count + 1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32))

    unasked = replace(
        known,
        sets=lists(0),
        judged=lists(len(known.judged)),
        clusters=nothing,
        with_text=nothing,
        known=known.known.take(nothing),
    )
    save_judgements(unasked, index / JUDGEMENTS)
    save_trained(replace(whole.index, judgements=unasked), index / TRAINED)
