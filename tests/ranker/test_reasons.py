from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.bundle import ON_NEW_RULES, RANKER, WITH_JUDGEMENT, WITHOUT_JUDGEMENT, Model
from rulerank.features.completion import COMPANIONS
from rulerank.features.registry import registered
from rulerank.features.standing import ALIKE, FAR
from rulerank.ranker import Ranker
from rulerank.ranker.reasons import RESTATED
from rulerank.trees import Trees

QUESTION = "Who has to keep the register, and for how long?"


def test_shares_sum_to_the_scores_of_both_passes_less_what_the_final_one_restates(ranker: Ranker) -> None:
    ranked = ranker.rank(QUESTION, k=10, reasons=10**3, model=WITH_JUDGEMENT)
    model = ranker.bundle.models[RANKER]
    explained = {*model.features.names, COMPANIONS}
    assert all({each.feature for each in passage.reasons} == explained for passage in ranked)
    rest = []
    for passage in ranked:
        values = {each.feature: each.value for each in passage.reasons}
        row = np.array([[values[name] for name in model.features.names]], np.float32)
        shares = model.trees.path_contributions(row)[0]
        restated = sum(shares[model.features.names.index(name)] for name in RESTATED)
        found = sum(each.contribution for each in passage.reasons)
        rest.append(passage.score - restated + values["first_score"] - found)
    np.testing.assert_allclose(rest, rest[0], atol=1e-6)


def test_shares_include_the_standing_of_each_feature(ranker: Ranker) -> None:
    model, ranking = ranker.bundle.models[ON_NEW_RULES], ranker.ranking(QUESTION, model=ON_NEW_RULES)
    assert model.standing is not None
    passage = ranker.rank(QUESTION, k=1, reasons=10**3, model=ON_NEW_RULES)[0]
    found = {each.feature: each.contribution for each in passage.reasons}
    # What is left is the company of the passage, which never lowers a score.
    assert found[COMPANIONS] >= 0
    values = ranking.matrix[:, ranker.bundle.features.names.index("bigram_hits")].astype(np.float64)
    stands = (values[0] - values.mean()) / (values.std() + ALIKE)
    paths = 0.0
    for trained in (model, ranker.bundle.first_pass):
        place = trained.features.names.index("bigram_hits")
        row = ranking.matrix[:1, ranker.bundle.features.places(trained.features.names)]
        paths += trained.trees.path_contributions(row)[0, place]
    weight = model.standing.weights[model.standing.names.index("bigram_hits")]
    expected = model.standing.factor * paths + weight * np.clip(stands, -FAR, FAR)
    assert found["bigram_hits"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("day", [date(2026, 1, 1), date(2012, 1, 1)])
def test_shares_sum_to_the_scores_of_the_model_for_new_rules(ranker: Ranker, day: date) -> None:
    model = ranker.bundle.models[ON_NEW_RULES]
    assert model.standing is not None
    rest = []
    for passage in ranker.rank(QUESTION, k=10, reasons=10**3, model=ON_NEW_RULES, as_of=day):
        values = {each.feature: each.value for each in passage.reasons}
        row = np.array([[values[name] for name in model.features.names]], np.float32)
        shares = model.trees.path_contributions(row)[0]
        restated = sum(shares[model.features.names.index(name)] for name in RESTATED)
        found = sum(each.contribution for each in passage.reasons)
        rest.append(passage.score - found - model.standing.factor * (restated - values["first_score"]))
    np.testing.assert_allclose(rest, rest[0], atol=1e-6)


def test_ranker_may_leave_out_what_its_first_pass_reads(ranker: Ranker, bundle: Path) -> None:
    features = registered().named(["bm25_score", "first_score"])
    golden = pl.read_ipc(bundle / "golden/ranker.arrow").select(features.names).to_numpy()
    labels = (np.arange(len(golden)) % 2).astype(float)
    data = lightgbm.Dataset(golden, label=labels, feature_name=features.names)
    booster = lightgbm.train({"verbosity": -1, "min_data_in_leaf": 1}, data, num_boost_round=3)
    trees = Trees(booster.model_to_string())
    model = Model(trees, features, ranker.bundle.models[RANKER].curve)
    fewer = Ranker(replace(ranker.bundle, models={RANKER: model}, trust=None, selections={}))
    passage = fewer.rank(QUESTION, k=1, reasons=10**3)[0]
    assert set(ranker.bundle.first_pass.features.names) < {each.feature for each in passage.reasons}
    row = {each.feature: each.value for each in passage.reasons}
    assert passage.score == pytest.approx(booster.predict([[row[name] for name in features.names]])[0])


def test_reasons_are_never_the_list_itself(ranker: Ranker) -> None:
    reasons = ranker.rank(QUESTION, k=1, reasons=10**3, model=WITH_JUDGEMENT)[0].reasons
    restated = {each.feature: each.contribution for each in reasons if each.feature in RESTATED}
    assert restated == dict.fromkeys(RESTATED, 0)


def test_reasons_are_those_with_the_greatest_share(ranker: Ranker) -> None:
    passage = ranker.rank(QUESTION, k=1, reasons=4)[0]
    everything = ranker.rank(QUESTION, k=1, reasons=10**3)[0].reasons
    assert passage.reasons == everything[:4] or _same(passage.reasons, everything[:4])
    shares = [abs(reason.contribution) for reason in everything]
    assert shares == sorted(shares, reverse=True)


def _same(left: tuple, right: tuple) -> bool:
    """Compare reasons whose values may be NaN."""
    return [(a.feature, a.contribution) for a in left] == [(a.feature, a.contribution) for a in right]


def test_reasons_explain_the_model_that_ranks(ranker: Ranker) -> None:
    passage = ranker.rank(QUESTION, k=1, reasons=10**3, model=WITHOUT_JUDGEMENT)[0]
    names = ranker.bundle.models[WITHOUT_JUDGEMENT].features.names
    unread = [each for each in passage.reasons if each.feature not in {*names, COMPANIONS}]
    assert unread
    assert all(each.contribution == 0 for each in unread)
