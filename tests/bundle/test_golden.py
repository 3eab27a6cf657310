from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.bundle import RANKER, Bundle, Model, load_bundle, verify_bundle
from rulerank.bundle.golden import SHARE, check_questions
from rulerank.bundle.golden_rows import DRAWN, check_rows, drawn_rows, golden_rows
from rulerank.errors import BundleError
from rulerank.features import registry
from rulerank.features.registry import registered
from rulerank.ranker import Ranker
from rulerank.tables import GOLDEN_ROWS
from rulerank.trees import Trees

FEATURES = registered().named(["bm25_score", "bm25_rank", "pr"])
ROWS = np.random.default_rng(3).normal(size=(40, 3)).astype(np.float32)


@pytest.fixture(scope="module")
def model() -> Model:
    """A model that splits on its first two columns and never on `pr`."""
    labels = ROWS[:, 0] + 0.3 * ROWS[:, 1]
    read = np.column_stack([ROWS[:, :2], np.zeros(40)])
    data = lightgbm.Dataset(read, label=labels, feature_name=FEATURES.names)
    options = {"verbosity": -1, "min_data_in_leaf": 2, "feature_pre_filter": False}
    trees = Trees(lightgbm.train(options, data, num_boost_round=5).model_to_string())
    assert [len(each) > 0 for each in trees.thresholds] == [True, True, False]
    return Model(trees, FEATURES, {"slope": 1.0, "intercept": 0.0})


def test_golden_rows_are_the_given_rows_and_those_on_a_threshold_beside_it_or_missing(model: Model) -> None:
    golden = golden_rows(model.trees, FEATURES.frame(ROWS))
    values = golden.select(FEATURES.names).to_numpy()
    np.testing.assert_array_equal(values[:40], ROWS)
    assert golden.height == 40 + 2 * 3
    for column, thresholds in enumerate(model.trees.thresholds[:2]):
        on, beside, missing = values[40 + 3 * column : 43 + 3 * column, column]
        assert on in thresholds.astype(np.float32)
        assert beside == np.nextafter(on, np.float32(np.inf))
        assert np.isnan(missing)
    np.testing.assert_array_equal(golden["score"], model.trees.scores(values))


def test_one_row_is_enough(model: Model) -> None:
    assert golden_rows(model.trees, FEATURES.frame(ROWS[:1])).height == 1 + 2 * 3


def test_rows_are_drawn_from_the_thresholds_of_trees_that_read_no_features_table(model: Model) -> None:
    drawn = drawn_rows(model.trees)
    assert (drawn.height, drawn.columns) == (DRAWN, FEATURES.names)
    for column, thresholds in enumerate(model.trees.thresholds[:2]):
        assert set(drawn[FEATURES.names[column]]) == set(thresholds.astype(np.float32).tolist())
    assert set(drawn["pr"]) == {0}


@pytest.fixture
def rows(model: Model, tmp_path: Path) -> Path:
    """The golden rows of one model, named `ranker`, in a folder."""
    path = tmp_path / "golden/ranker.arrow"
    path.parent.mkdir()
    GOLDEN_ROWS.write_mapped(golden_rows(model.trees, FEATURES.frame(ROWS)), path)
    return path


def test_golden_rows_that_score_as_they_did_are_accepted(model: Model, rows: Path) -> None:
    check_rows(rows.parent.parent, {RANKER: model.trees})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (pl.when(pl.int_range(pl.len()) == 7).then(pl.col("score") + 0.01).otherwise("score"), r"0\.01 off"),
        (pl.when(pl.int_range(pl.len()) == 7).then(np.nan).otherwise("score"), "nan off"),
    ],
)
def test_golden_row_that_scores_differently_is_refused(
    model: Model, rows: Path, changed: pl.Expr, message: str
) -> None:
    pl.read_ipc(rows).with_columns(score=changed).write_ipc(rows)
    with pytest.raises(BundleError, match=rf"golden/ranker\.arrow: golden rows score {message}"):
        check_rows(rows.parent.parent, {RANKER: model.trees})


def test_model_without_golden_rows_is_refused(model: Model, rows: Path) -> None:
    pl.read_ipc(rows).clear().write_ipc(rows)
    with pytest.raises(BundleError, match=r"golden/ranker\.arrow: expected golden rows, found none"):
        check_rows(rows.parent.parent, {RANKER: model.trees})


def test_every_model_of_a_bundle_has_golden_rows_on_thresholds_and_with_missing_values(
    ranker: Ranker, bundle: Path
) -> None:
    assert len(ranker.bundle.trained) == 4
    assert ranker.bundle.forests.keys() == ranker.bundle.trained.keys() | ranker.bundle.company.keys()
    for name, trees in ranker.bundle.forests.items():
        golden = GOLDEN_ROWS.map(bundle / f"golden/{name}.arrow")
        for feature, thresholds in zip(trees.names, trees.thresholds, strict=True):
            if len(thresholds):
                assert golden[feature].is_nan().any(), (name, feature)
                assert np.isin(golden[feature], thresholds.astype(np.float32)).any(), (name, feature)


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
    ("step", "constant", "models"),
    [
        ("standing", "FAR", "score of ranker_on_new_rules"),
        ("company", "LEADERS", "score of .*ranker_without_judgement"),
    ],
)
def test_step_after_the_trees_whose_code_was_changed_is_named_by_its_models(
    bundle: Path, monkeypatch: pytest.MonkeyPatch, step: str, constant: str, models: str
) -> None:
    monkeypatch.setattr(f"rulerank.features.{step}.{constant}", 1)
    with pytest.raises(BundleError, match=rf"golden: this version computes another {models}"):
        verify_bundle(bundle)


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


def _turned(bundle: Bundle, cosine: float) -> Callable[..., np.ndarray]:
    """Return an encoder's function whose vectors have this cosine with its own."""
    encode = bundle.encoder.encode

    def turned(texts: Sequence[str], kind: str) -> np.ndarray:
        vectors = encode(texts, kind)
        aside = np.random.default_rng(0).standard_normal(vectors.shape)
        aside -= (aside * vectors).sum(axis=1, keepdims=True) * vectors
        aside /= np.linalg.norm(aside, axis=1, keepdims=True)
        return (cosine * vectors + np.sqrt(1 - cosine**2) * aside).astype(np.float32)

    return turned


@pytest.mark.parametrize(
    ("precision", "cosine", "refused"),
    [("fp32", 1, False), ("fp32", 0.99, True), ("int8", 0.99, False), ("int8", 0.9, True)],
)
def test_another_processor_may_round_the_golden_questions_otherwise(
    ranker: Ranker,
    bundle: Path,
    monkeypatch: pytest.MonkeyPatch,
    precision: str,
    cosine: float,
    refused: bool,
) -> None:
    monkeypatch.setattr(ranker.bundle.encoder, "precision", precision)
    monkeypatch.setattr(ranker.bundle.encoder, "encode", _turned(ranker.bundle, cosine))
    if not refused:
        check_questions(ranker.bundle, bundle)
        return
    with pytest.raises(BundleError, match=r"encoder: expected the encoder to give .* cosine of at least"):
        check_questions(ranker.bundle, bundle)


def test_encoder_that_cuts_questions_elsewhere_is_refused(
    ranker: Ranker, bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = ranker.bundle.token_encoder.tokens
    monkeypatch.setattr(
        ranker.bundle.token_encoder,
        "tokens",
        lambda texts, kind: tokens([f"{text} harbour" for text in texts], kind),
    )
    with pytest.raises(BundleError, match=r"expected the golden questions to have as many tokens"):
        check_questions(ranker.bundle, bundle)
