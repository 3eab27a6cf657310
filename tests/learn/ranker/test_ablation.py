import lightgbm
import numpy as np
import polars as pl
import pytest

from rulerank.features.registry import GROUPS, registered
from rulerank.learn.ranker.ablation import PAPER, rank, variants
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.recipe import fit
from rulerank.settings import Ranker
from rulerank.trees import Trees

RANKER = Ranker(num_leaves=4, min_data_in_leaf=1, num_iterations=20, early_stopping_rounds=5)
CHOICE = Choice(ranker=RANKER, groups=GROUPS)
USED = registered().named(["unigram_hits", "bm25_rank", "bm25_context_rank", "dense_rank"])


@pytest.fixture(scope="module")
def training(training_of) -> pl.DataFrame:
    return training_of(40, 5, folds=2, doubt=0.1, useless=tuple(USED.names[1:]))


def test_every_group_is_left_out_once_and_kept_alone_once() -> None:
    parts = {(part.kind, part.name): part.features for part in variants(registered())}
    everything = parts["one pass", "all groups"]
    assert everything == registered().of_pass(1)
    present = {each.group for each in everything}
    assert {name for kind, name in parts if kind == "without"} == present
    assert {name for kind, name in parts if kind == "only"} == present
    for group in present:
        without, only = parts["without", group].names, parts["only", group].names
        assert sorted(without + only) == sorted(everything.names)
        assert {each.group for each in parts["only", group]} == {group}
    assert parts["named", "paper"].names == list(PAPER)


def test_paper_has_its_twenty_five_features() -> None:
    assert len(set(PAPER)) == len(PAPER) == 25


def test_group_that_is_not_there_and_list_that_is_not_whole_are_no_variants() -> None:
    kinds = [(part.kind, part.name) for part in variants(USED)]
    assert kinds == [("without", "lexical"), ("without", "fusion"), ("only", "lexical"), ("only", "fusion")]


def test_whole_set_is_no_variant_of_itself() -> None:
    assert variants(registered().named(["pr", "deg"])) == []


def test_fit_learns_from_the_features_given_alone(training) -> None:
    useful = fit(training, USED.named(["unigram_hits"]), CHOICE, 7, 1).models.full
    useless = fit(training, USED.without("lexical"), CHOICE, 7, 1).models.full
    assert useful.names == ["unigram_hits"]
    assert useless.names == USED.names[1:]
    firsts = [
        rank(model, training, "run", 1)
        .filter(pl.col("rank") == 1)
        .join(training, on=["query_id", "passage_id"])["relevance"]
        .mean()
        for model in (useful, useless)
    ]
    assert firsts[0] == 1.0
    assert firsts[1] < 0.9


def test_fit_twice_gives_the_same_trees(training) -> None:
    models = [fit(training, USED, CHOICE, 7, 1).models.full.text for _ in range(2)]
    assert models[0] == models[1]


def test_rank_orders_each_question_and_keeps_the_table_order_of_equal_scores() -> None:
    table = pl.DataFrame(
        {
            "query_id": ["a", "a", "a", "b", "b"],
            "passage_id": ["p1", "p2", "p3", "p1", "p2"],
            "unigram_hits": pl.Series([0, 9, 0, 0, 9], dtype=pl.Float32),
        }
    )
    data = lightgbm.Dataset(np.array([[0.0], [9.0]] * 20), label=[0, 1] * 20, feature_name=["unigram_hits"])
    settings = {"min_data_in_leaf": 1, "min_data_in_bin": 1, "verbosity": -1}
    trees = Trees(lightgbm.train(settings, data, num_boost_round=2).model_to_string())
    ranked = rank(trees, table, "run", 1)
    assert ranked.sort("query_id", "rank").select("query_id", "passage_id", "rank").rows() == [
        ("a", "p2", 1),
        ("a", "p1", 2),
        ("a", "p3", 3),
        ("b", "p2", 1),
        ("b", "p1", 2),
    ]
