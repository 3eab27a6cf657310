import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.splits.folds import cluster_queries, drop_repeats, fold_queries
from rulerank.splits.near_duplicates import near_duplicates
from rulerank.tables import FOLDS, JUDGEMENTS, QUERIES
from tests.splits.questions import OTHERS, QUESTION, TEXTS


def _queries(
    texts: list[str | None], splits: list[str] | None = None, groups: list[str | None] | None = None
) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "query_id": [f"q{place}" for place in range(len(texts))],
            "text": texts,
            "split": splits or ["train"] * len(texts),
            "collection": ["own"] * len(texts),
            "level": [None] * len(texts),
            "group": groups or [None] * len(texts),
        },
        schema=dict(QUERIES.columns),
    )


def _judgements(queries: pl.DataFrame) -> pl.DataFrame:
    return queries.select(
        "query_id", passage_id=pl.lit("p"), relevance=pl.lit(1, JUDGEMENTS.columns["relevance"])
    )


def test_cluster_joins_what_a_chain_of_duplicates_joins() -> None:
    first = " ".join(f"w{place}" for place in range(20))
    second = first.replace("w0 ", "x0 ")
    third = second.replace("w1 ", "x1 ")
    texts = [first, OTHERS[0], second, third]

    assert near_duplicates(texts, 0.9).tolist() == [[0, 2], [2, 3]]
    assert cluster_queries(_queries(texts), 0.9)["cluster"].to_list() == [0, 1, 0, 0]


def test_cluster_joins_a_group_and_what_repeats_one_of_it() -> None:
    queries = _queries([OTHERS[0], QUESTION, OTHERS[1], QUESTION, None], groups=["a", None, "b", "a", "b"])

    assert cluster_queries(queries, 0.9)["cluster"].to_list() == [0, 0, 1, 0, 1]


def test_queries_without_text_are_clusters_of_their_own() -> None:
    clusters = cluster_queries(_queries([None, QUESTION, None, QUESTION]), 0.9)

    assert clusters["cluster"].to_list() == [0, 1, 2, 1]


@pytest.mark.parametrize("split", ["validation", "test"])
@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        (QUESTION, "same text"),
        (f"  {QUESTION.upper()}\n", "same text"),
        (QUESTION.replace(",", "").replace("?", ""), "nearly the same text"),
        (QUESTION.replace("outside", "external"), "nearly the same text"),
    ],
)
def test_held_out_question_planted_in_training_is_dropped(split, planted, reason) -> None:
    queries = _queries([OTHERS[0], planted, OTHERS[1], QUESTION], ["train", "train", split, split])

    kept, judgements, dropped = drop_repeats(queries, _judgements(queries), 0.8)

    assert kept["query_id"].to_list() == ["q0", "q2", "q3"]
    assert judgements["query_id"].to_list() == ["q0", "q2", "q3"]
    assert dropped.rows() == [("q1", "q3", reason)]


def test_repeat_of_several_questions_is_listed_once_with_the_first_equal_one() -> None:
    nearly = QUESTION.replace("outside", "external")
    queries = _queries([QUESTION, nearly, QUESTION, QUESTION], ["train", "validation", "test", "test"])

    dropped = drop_repeats(queries, _judgements(queries), 0.8)[2]

    assert dropped.rows() == [("q0", "q2", "same text")]


def test_repeats_within_one_side_are_kept() -> None:
    queries = _queries([QUESTION, QUESTION, OTHERS[0], OTHERS[0]], ["train", "train", "validation", "test"])

    kept, _, dropped = drop_repeats(queries, _judgements(queries), 0.9)

    assert kept.equals(queries)
    assert dropped.height == 0


def test_flood_of_feedback_lets_no_near_repeat_of_a_held_out_question_pass() -> None:
    nearly = QUESTION.replace("outside", "external").replace("client", "customer")
    words = "records client money authorised custodian reconcile calendar month delegated auditor"
    flood = [f"{words} verdict{place}" for place in range(500)]
    queries = _queries([OTHERS[0], QUESTION, nearly, *flood], ["train", "test", *["train"] * 501])
    feedback = {*queries["query_id"][2:]}

    kept, _, dropped = drop_repeats(queries, _judgements(queries), 0.8, feedback)

    assert ("q2", "q1", "nearly the same text") in dropped.rows()
    assert kept["query_id"].to_list()[:2] == ["q0", "q1"]
    clusters = cluster_queries(queries, 0.8, feedback)["cluster"]
    assert clusters[1] == clusters[2] != clusters[0]
    assert "q2" in drop_repeats(queries, _judgements(queries), 0.8)[0]["query_id"]


def test_judged_sets_without_text_are_kept() -> None:
    queries = _queries([None, QUESTION], ["train", "test"])

    assert drop_repeats(queries, _judgements(queries), 0.9)[0].equals(queries)


@given(TEXTS, st.integers(2, 7), st.integers(0, 3))
def test_fold_never_splits_a_cluster_and_misses_no_query(texts, folds, seed) -> None:
    queries = _queries([text or None for text in texts])
    clusters = cluster_queries(queries, 0.7)

    folded = fold_queries(queries, clusters, folds, seed)

    assert FOLDS.check(folded, "folds")["query_id"].to_list() == queries["query_id"].to_list()
    assert folded["fold"].is_between(0, folds - 1).all()
    assert folded.group_by("cluster").agg(pl.col("fold").n_unique())["fold"].max() in (1, None)


def test_folds_are_the_same_again_and_other_with_another_seed() -> None:
    queries = _queries([None] * 200)
    clusters = cluster_queries(queries, 0.9)

    first = fold_queries(queries, clusters, 5, seed=7)

    assert first.equals(fold_queries(queries, clusters, 5, seed=7))
    assert not first.equals(fold_queries(queries, clusters, 5, seed=8))


def test_folds_do_not_depend_on_the_order_of_queries() -> None:
    queries = _queries([*OTHERS, QUESTION, QUESTION.upper(), None])
    turned = queries.reverse()

    folds = fold_queries(queries, cluster_queries(queries, 0.9), 5, seed=7)
    again = fold_queries(turned, cluster_queries(turned, 0.9), 5, seed=7)

    assert again.sort("query_id")["fold"].to_list() == folds.sort("query_id")["fold"].to_list()


def test_further_question_moves_no_other_cluster() -> None:
    queries = _queries([f"alpha{place} beta{place}" for place in range(100)])
    fewer = queries.head(80)

    folds = fold_queries(queries, cluster_queries(queries, 0.9), 5, seed=7)

    assert fold_queries(fewer, cluster_queries(fewer, 0.9), 5, seed=7)["fold"].equals(folds["fold"].head(80))


def test_folds_are_reasonably_balanced() -> None:
    queries = _queries([None] * 5_000)

    sizes = fold_queries(queries, cluster_queries(queries, 0.9), 5, seed=7)["fold"].value_counts()["count"]

    assert sizes.min() >= 900
    assert sizes.max() <= 1_100
