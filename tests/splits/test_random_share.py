from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.errors import InputError
from rulerank.splits.random_share import random_share
from rulerank.tables import JUDGEMENTS, QUERIES

NOTHING = JUDGEMENTS.empty()


def _tables(splits: list[str], clusters: list[int]) -> tuple[pl.DataFrame, pl.DataFrame]:
    ids = [f"q{place}" for place in range(len(splits))]
    queries = pl.DataFrame(
        [
            (name, f"text of {name}", split, "own", None, None)
            for name, split in zip(ids, splits, strict=True)
        ],
        schema=dict(QUERIES.columns),
        orient="row",
    )
    return queries, pl.DataFrame({"query_id": ids, "cluster": pl.Series(clusters, dtype=pl.Int32)})


def _splits(
    splits: list[str], clusters: list[int], share: float = 0.5, part: int = 0, seed: int = 7
) -> dict[str, str]:
    queries, of = _tables(splits, clusters)
    dealt = random_share(queries, NOTHING, of, share, part, seed).queries
    return dict(dealt.select("query_id", "split").iter_rows())


@given(st.permutations([place % 40 for place in range(100)]), st.integers(0, 20))
def test_whole_clusters_are_held_out_and_no_question_is_lost(clusters: list[int], seed: int) -> None:
    found = _splits(["train"] * len(clusters), clusters, seed=seed)
    assert len(found) == len(clusters)
    by_cluster: dict[int, set[str]] = {}
    for cluster, split in zip(clusters, found.values(), strict=True):
        by_cluster.setdefault(cluster, set()).add(split)
    assert all(len(splits) == 1 for splits in by_cluster.values())


def test_about_the_share_asked_for_is_held_out() -> None:
    found = list(_splits(["train"] * 1000, list(range(1000)), share=0.2).values())
    assert found.count("validation") == pytest.approx(200, abs=40)


def test_the_parts_hold_out_every_question_once() -> None:
    parts = [_splits(["train"] * 60, [place // 2 for place in range(60)], 0.2, part) for part in range(5)]
    for name in parts[0]:
        assert [splits[name] for splits in parts].count("validation") == 1


def test_published_validation_and_test_questions_stay() -> None:
    splits = ["validation", "test"] * 20 + ["train"] * 40
    found = list(_splits(splits, list(range(80))).values())
    assert found[:40] == splits[:40]
    assert set(found[40:]) == {"train", "validation"}


def test_another_seed_holds_out_other_questions_and_the_same_seed_the_same() -> None:
    first, again, other = (_splits(["train"] * 50, list(range(50)), seed=seed) for seed in (7, 7, 8))
    assert first == again != other


def test_a_share_that_leaves_no_question_on_one_side_is_refused() -> None:
    queries, clusters = _tables(["train", "train"], [0, 0])
    with pytest.raises(InputError, match=r"expected \w+ questions with a text, found none.*held_out_share"):
        random_share(queries, NOTHING, clusters, 0.5, 0, 7)
