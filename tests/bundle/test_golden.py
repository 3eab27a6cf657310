from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from rulerank.bundle import load_bundle, verify_bundle
from rulerank.bundle.golden import SHARE
from rulerank.errors import BundleError
from rulerank.features import registry
from rulerank.ranker import Ranker


def test_bundle_as_it_was_written_is_verified(bundle: Path) -> None:
    verify_bundle(bundle)


def test_feature_whose_code_was_changed_is_named_when_the_bundle_is_verified(
    bundle: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Features of the second pass feed no other feature.
    changed = ranker.bundle.features.of_pass(2).features[-1]
    other = replace(changed, function=lambda listing: changed.of(listing) + 1)
    monkeypatch.setitem(registry._REGISTRY, changed.name, other)
    for read in (load_bundle, verify_bundle):
        with pytest.raises(BundleError, match=rf"golden: .* other values of {changed.name} than"):
            read(bundle)


@pytest.mark.parametrize(
    ("step", "constant", "part"), [("standing", "FAR", "standing"), ("company", "GIVEN", "affinity")]
)
def test_step_after_the_trees_whose_code_was_changed_is_named_by_its_models(
    bundle: Path, ranker: Ranker, monkeypatch: pytest.MonkeyPatch, step: str, constant: str, part: str
) -> None:
    # How much a step counts is learned, so which models have it depends on the processor.
    having = {name for name, model in ranker.bundle.models.items() if getattr(model, part) is not None}
    monkeypatch.setattr(f"rulerank.features.{step}.{constant}", 1)
    with pytest.raises(BundleError, match="golden: this version computes another score of ") as caught:
        verify_bundle(bundle)
    named = set(re.findall(r"score of (\w+)", str(caught.value)))
    assert named
    assert named <= having


@pytest.fixture(scope="session")
def unread(ranker: Ranker) -> str:
    """A feature that no model of the shared run reads, so that its values change no score."""
    bundle = ranker.bundle
    standing = (model.standing.names for model in bundle.models.values() if model.standing)
    read = set().union(*standing)
    for trees in bundle.forests.values():
        read |= {name for name, at in zip(trees.names, trees.thresholds, strict=True) if len(at)}
    return next(name for name in bundle.features.names if name not in read)


@pytest.mark.parametrize("refused", [False, True])
def test_feature_may_differ_in_few_values_and_in_no_more(
    copy: Path, seal: Callable[..., None], unread: str, refused: bool
) -> None:
    path = copy / "golden/extracted.arrow"
    before = pl.read_ipc(path)
    few = int(SHARE * before.height) + refused
    assert few > 0
    differs = pl.int_range(pl.len()) < few
    other = pl.when(differs).then(pl.col(unread).fill_nan(0) + 1).otherwise(unread)
    before.with_columns(other.alias(unread)).write_ipc(path)
    seal(copy)
    if not refused:
        verify_bundle(copy)
        return
    with pytest.raises(BundleError, match=f"computes other values of {unread} than"):
        verify_bundle(copy)


@pytest.mark.parametrize(
    "column",
    [
        pl.int_range(pl.len()).alias("passage_id"),
        pl.col("query_id").cast(pl.Categorical),
        pl.col("pr").cast(pl.String),
        pl.concat_list("pr").alias("pr"),
    ],
)
def test_golden_column_of_another_type_is_refused(
    copy: Path, seal: Callable[..., None], column: pl.Expr
) -> None:
    path = copy / "golden/extracted.arrow"
    pl.read_ipc(path).with_columns(column).write_ipc(path)
    seal(copy)
    with pytest.raises(BundleError, match=rf"found others or none for {column.meta.output_name()}"):
        load_bundle(copy)


def test_golden_question_without_end_is_refused(copy: Path, seal: Callable[..., None]) -> None:
    path = copy / "golden/questions.arrow"
    pl.read_ipc(path).with_columns(text=pl.col("text") + " x" * 100_000).write_ipc(path)
    seal(copy)
    with pytest.raises(BundleError, match=r"questions\.arrow: .* found a text of \d+ characters"):
        load_bundle(copy)


def test_value_that_went_missing_is_another_value(copy: Path, seal: Callable[..., None]) -> None:
    path = copy / "golden/extracted.arrow"
    pl.read_ipc(path).with_columns(pr=pl.lit(np.nan, pl.Float32)).write_ipc(path)
    seal(copy)
    with pytest.raises(BundleError, match="computes other values of pr than"):
        verify_bundle(copy)


def test_golden_questions_that_retrieve_other_candidates_are_refused(
    copy: Path, seal: Callable[..., None]
) -> None:
    path = copy / "golden/extracted.arrow"
    other = pl.when(pl.int_range(pl.len()) % 4 == 0).then(pl.lit("elsewhere")).otherwise("passage_id")
    pl.read_ipc(path).with_columns(passage_id=other).write_ipc(path)
    seal(copy)
    with pytest.raises(BundleError, match=r"expected the \d+ candidates of the golden questions, found \d+"):
        verify_bundle(copy)
