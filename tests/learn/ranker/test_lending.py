from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.features.feature_set import FeatureSet
from rulerank.features.registry import GROUPS, registered
from rulerank.files import read_json, write_json
from rulerank.learn.ranker.choice import Choice
from rulerank.learn.ranker.groups import to_groups
from rulerank.learn.ranker.lending import lend, with_lent_rows
from rulerank.learn.ranker.recipe import Trained, fit, training_rows
from rulerank.settings import Ranker

FEATURES = registered().named(["unigram_hits", "rrf_rank"])
SETTINGS = Ranker(num_leaves=4, min_data_in_leaf=1, num_iterations=5, early_stopping_rounds=3, depth=2)
CHOICE = Choice(ranker=SETTINGS, groups=GROUPS)


def _rows(name: str, questions: int, folds: int) -> pl.LazyFrame:
    """Three candidates per question, the first of them relevant; the questions alternate between folds."""
    table = pl.DataFrame(
        [
            (f"{name}{question}", f"p{place}", int(place == 0), float(2 - place), place + 1.0)
            for question in range(questions)
            for place in range(3)
        ],
        schema={
            "query_id": pl.String(),
            "passage_id": pl.String(),
            "relevance": pl.Int8(),
            "unigram_hits": pl.Float32(),
            "rrf_rank": pl.Float32(),
        },
        orient="row",
    )
    dealt = pl.DataFrame({"query_id": [f"{name}{question}" for question in range(questions)]})
    dealt = dealt.with_columns(fold=(pl.int_range(pl.len()) % folds).cast(pl.Int8))
    return training_rows(table, dealt)


@pytest.fixture
def lent(tmp_path: Path) -> Path:
    assert lend(_rows("a", 6, folds=3), FEATURES, CHOICE, "acts", tmp_path) == 12
    return tmp_path


def test_a_corpus_lends_the_rows_that_its_ranker_learns_from(lent) -> None:
    rows = pl.read_parquet(lent / "acts.parquet")
    assert rows.columns == ["query_id", "passage_id", "relevance", "unigram_hits", "rrf_rank", "fold"]
    assert rows["rrf_rank"].unique().sort().to_list() == [1, 2], "the ranker looks two candidates deep"
    assert rows.filter(query_id="a4")["fold"].to_list() == [1, 1]


def test_lent_rows_join_under_names_of_their_own_with_their_weight_and_ones_own_folds(lent) -> None:
    joined = with_lent_rows(_rows("a", 4, folds=2), "rules", FEATURES, {"acts": 0.5}, lent).collect()
    assert joined["query_id"].unique(maintain_order=True).to_list() == [
        *(f"acts/a{number}" for number in range(6)),
        *(f"a{number}" for number in range(4)),
    ]
    of_others = joined.filter(~pl.col("own"))
    assert of_others["weight"].unique().to_list() == [0.5]
    assert of_others["fold"].gather_every(2).to_list() == [0, 1, 0, 0, 1, 0], "fold 2 is dealt to fold 0"
    assert (
        joined.filter("own")
        .drop("weight", "own")
        .equals(_rows("a", 4, folds=2).drop("weight", "own").collect())
    )


def test_weight_of_a_corpus_reaches_every_pair_of_its_questions(lent) -> None:
    joined = with_lent_rows(_rows("r", 2, folds=2), "rules", FEATURES, {"acts": 0.5}, lent).collect()
    groups = to_groups(joined, FEATURES.names)
    assert groups.sizes.tolist() == [2] * 6 + [3] * 2
    assert groups.weighted(3.0).tolist() == [0.5] * 12 + [1.0] * 6


def test_the_same_corpora_give_the_same_ranker_whichever_is_ones_own(lent) -> None:
    acts, rules = _rows("a", 6, folds=2), _rows("r", 6, folds=2)
    lend(acts, FEATURES, CHOICE, "acts", lent)
    lend(rules, FEATURES, CHOICE, "rules", lent)
    shallow = pl.col("rrf_rank") <= SETTINGS.depth
    first = _fit(with_lent_rows(acts.filter(shallow), "acts", FEATURES, {"rules": 1.0}, lent))
    second = _fit(with_lent_rows(rules.filter(shallow), "rules", FEATURES, {"acts": 1.0}, lent))
    assert first.models.full.text == second.models.full.text


def test_scores_and_curve_are_of_ones_own_questions(lent) -> None:
    own = _rows("r", 6, folds=2)
    trained = _fit(with_lent_rows(own, "rules", FEATURES, {"acts": 1.0}, lent))
    assert len(trained.own_scores) == own.collect().height
    matrix = own.select(FEATURES.names).collect().to_numpy()
    of_fold = own.select("fold").collect().to_series()
    for fold, trees in trained.models.without.items():
        assert trained.own_scores.filter(of_fold == fold).to_list() == pytest.approx(
            trees.scores(matrix)[(of_fold == fold).to_numpy()].tolist()
        )


def test_without_others_the_rows_stay_as_they_are(tmp_path) -> None:
    own = _rows("r", 2, folds=2)
    assert with_lent_rows(own, "rules", FEATURES, {}, tmp_path) is own


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"rules": 1.0}, r"ranker\.others: expected other corpora, found rules, which is this one"),
        ({"codes": 1.0}, r"codes\.json: expected what the corpus codes lends, found nothing\. Run `python"),
    ],
)
def test_a_corpus_that_cannot_lend_is_an_error(lent, weights, message) -> None:
    with pytest.raises(InputError, match=message):
        with_lent_rows(_rows("r", 2, folds=2), "rules", FEATURES, weights, lent)


def test_a_feature_that_meant_something_else_is_an_error(lent) -> None:
    identities = read_json(lent / "acts.json")
    identities[0]["version"] += 1
    write_json(lent / "acts.json", identities)
    with pytest.raises(InputError, match="expected this ranker's features, found others or none of unigram"):
        with_lent_rows(_rows("r", 2, folds=2), "rules", FEATURES, {"acts": 1.0}, lent)
    more = FeatureSet((*FEATURES, *registered().named(["bm25_rank"])))
    with pytest.raises(InputError, match="unigram_hits, bm25_rank"):
        with_lent_rows(_rows("r", 2, folds=2), "rules", more, {"acts": 1.0}, lent)


def _fit(training: pl.LazyFrame) -> Trained:
    return fit(training, FEATURES, CHOICE, seed=7, threads=1)
