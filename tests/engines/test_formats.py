from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from rulerank.arrays import FloatArray
from rulerank.engines import FORMATS, opensearch, vespa
from rulerank.engines.columns import Portable
from rulerank.engines.delivered import AS_IT_IS, HALVED, LARGEST, SHIFTED, Delivery, from_engine, to_engine
from rulerank.engines.verify import hard_rows, verify
from rulerank.errors import RulerankError

EACH = pytest.mark.parametrize("name", FORMATS)
COSINES = st.one_of(st.floats(-1, 1, width=32), st.sampled_from([0.0, 1e-35, -1e-35, 1.0, -1.0]))


@EACH
def test_every_row_takes_lightgbms_way_through_every_tree(
    name: str, small: Portable, rows: FloatArray, tmp_path: Path
) -> None:
    FORMATS[name].write(small, tmp_path)
    verified = verify(FORMATS[name], small, tmp_path, rows)
    assert (verified.rows, verified.trees) == (10_000, 16)
    assert verified.difference <= 1e-5
    assert verified.on_thresholds > 10_000
    assert verified.missing > 10_000


@EACH
def test_json_has_numbers_that_every_parser_reads(name: str, small: Portable, tmp_path: Path) -> None:
    # Splits of `tier` separate missing values from all numbers, so their threshold is infinite.
    assert max(small.trees.thresholds[6]) > LARGEST
    FORMATS[name].write(small, tmp_path)

    def refused(constant: str) -> None:
        raise AssertionError(constant)

    for path in tmp_path.rglob("*.json"):
        json.loads(path.read_text(), parse_constant=refused)


@EACH
def test_missing_values_sent_the_other_way_are_noticed(
    name: str, small: Portable, rows: FloatArray, tmp_path: Path
) -> None:
    other = replace(small, trees=type(small.trees)(small.trees.text))
    nodes = small.trees.nodes
    other.trees.nodes = replace(nodes, missing_left=~nodes.missing_left)
    FORMATS[name].write(other, tmp_path)
    with pytest.raises(RulerankError, match=r"found \d+ other leaves in 16 trees"):
        verify(FORMATS[name], small, tmp_path, rows, 2000)


@pytest.mark.parametrize(("share", "passes"), [(0.9e-5, True), (1.1e-5, False)])
def test_an_engine_may_be_off_by_a_share_of_a_score_beyond_one(
    small: Portable, rows: FloatArray, tmp_path: Path, share: float, passes: bool
) -> None:
    form = FORMATS["xgboost-json"]
    form.write(small, tmp_path)

    def run(_: Path, values: FloatArray) -> NDArray[np.float64]:
        right = small.trees.scores(from_engine(values, small.columns, form.cosine))
        assert np.abs(right).max() > 2
        return right + share * np.maximum(np.abs(right), 1)

    if passes:
        verified = verify(replace(form, run=run), small, tmp_path, rows, 2000)
        assert verified.difference == pytest.approx(share, rel=1e-3)
    else:
        with pytest.raises(RulerankError, match=r"0 other leaves in 16 trees and scores off by 1.1e-05"):
            verify(replace(form, run=run), small, tmp_path, rows, 2000)


@pytest.mark.parametrize("module", [opensearch, vespa])
def test_threshold_that_is_not_moved_for_an_engine_that_tests_below_is_noticed(
    module: object, small: Portable, rows: FloatArray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "next_float32", lambda values: values)
    module.FORMAT.write(small, tmp_path)
    with pytest.raises(RulerankError, match="other leaves"):
        verify(module.FORMAT, small, tmp_path, rows, 2000)


def test_xgboost_scores_the_file_as_lightgbm_scores_the_rows(
    small: Portable, rows: FloatArray, tmp_path: Path
) -> None:
    xgboost = pytest.importorskip("xgboost")
    FORMATS["xgboost-json"].write(small, tmp_path)
    booster = xgboost.Booster(model_file=tmp_path / "model.json")
    hard = hard_rows(small, rows)
    scores = booster.predict(xgboost.DMatrix(hard, feature_names=booster.feature_names))
    assert scores == pytest.approx(small.trees.scores(hard), abs=1e-5)


def test_opensearch_gives_no_negative_score(small: Portable, rows: FloatArray, tmp_path: Path) -> None:
    FORMATS["opensearch"].write(small, tmp_path)
    forest = opensearch.read(small, tmp_path)
    hard = hard_rows(small, rows, 2000)
    scores = forest.scores(forest.ends(to_engine(hard, small.columns, SHIFTED)))
    assert scores.min() >= 0
    assert len(forest.roots) == 17


def test_solr_is_given_strings_and_thresholds_that_its_slack_does_not_move(
    small: Portable, tmp_path: Path
) -> None:
    FORMATS["solr"].write(small, tmp_path)
    model = json.loads((tmp_path / "model.json").read_text())
    waiting = [tree["root"] for tree in model["params"]["trees"]]
    thresholds = []
    for node in waiting:
        assert all(isinstance(value, str | dict) for value in node.values())
        if "feature" in node:
            thresholds.append(np.float32(node["threshold"]))
            waiting += [node["left"], node["right"]]
    moved = np.array(thresholds)[np.abs(thresholds) > 2e-6]
    assert len(moved) > 100
    assert (moved + np.float32(1e-6) == moved).all()


@pytest.mark.parametrize("delivery", [AS_IT_IS, SHIFTED, HALVED])
@given(cosine=COSINES, threshold=COSINES)
def test_delivered_cosine_goes_the_way_of_the_cosine_it_stands_for(
    delivery: Delivery, cosine: float, threshold: float
) -> None:
    values = delivery.values(np.array([cosine], np.float32))
    meant = delivery.cosines(values)
    assert abs(meant[0] - np.float32(cosine)) <= 2**-24
    bound = np.array([threshold], np.float32)
    assert (values <= delivery.thresholds(bound)) == (meant <= bound)
