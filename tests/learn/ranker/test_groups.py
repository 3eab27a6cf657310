from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest

from rulerank.errors import InputError
from rulerank.learn.ranker.groups import LONGEST_GROUP, Groups, to_groups, with_relevant
from rulerank.learn.ranker.lambdamart import to_dataset

NAMES = ["signal", "noise"]


def test_to_groups_counts_the_rows_of_each_query(table_of) -> None:
    groups = to_groups(table_of([3, 1, 4]), NAMES)
    assert groups.sizes.tolist() == [3, 1, 4]
    assert groups.matrix.shape == (8, 2)
    assert groups.matrix.dtype == np.float32
    assert groups.labels.tolist().count(1) == 3


def test_to_groups_matches_columns_by_name(table_of) -> None:
    table = table_of([3, 2])
    shuffled = table.select("noise", "relevance", "signal", "passage_id", "query_id")
    for names in (NAMES, NAMES[::-1]):
        assert np.array_equal(to_groups(shuffled, names).matrix, table.select(names).to_numpy())
    with pytest.raises(pl.exceptions.ColumnNotFoundError, match="absent"):
        to_groups(table, ["signal", "absent"])


def test_to_groups_refuses_scattered_rows(table_of) -> None:
    table = table_of([2, 2])
    with pytest.raises(InputError, match="rows of query 'q0' must be adjacent"):
        to_groups(table[[0, 2, 1, 3]], NAMES)


def test_to_groups_refuses_more_rows_than_lambdarank_takes() -> None:
    table = pl.DataFrame({"query_id": ["q"]}).select(
        pl.col("query_id").repeat_by(LONGEST_GROUP + 1).explode()
    )
    table = table.with_columns(relevance=pl.lit(0, pl.Int8), signal=pl.lit(0.0, pl.Float32))
    with pytest.raises(InputError, match=r"query 'q' has 10001 candidates.*candidates\.depth"):
        to_groups(table, ["signal"])
    assert to_groups(table[1:], ["signal"]).sizes.tolist() == [LONGEST_GROUP]


def test_to_groups_keeps_missing_values_missing(table_of) -> None:
    table = table_of([2]).with_columns(noise=pl.Series([np.nan, 1.0], dtype=pl.Float32))
    assert np.isnan(to_groups(table, NAMES).matrix[0, 1])


def test_groups_align_with_their_rows(table_of) -> None:
    # The feature holds the number of rows of its own query: any shift of the groups would show.
    sizes = [5, 1, 3, 2, 7, 1]
    table = table_of(sizes).with_columns(noise=pl.len().over("query_id").cast(pl.Float32))
    groups = to_groups(table, NAMES)
    stored = to_dataset(groups, NAMES, {"verbosity": -1}).construct()
    for start, stop in pairwise(np.cumsum([0, *stored.get_group()])):
        assert set(groups.matrix[start:stop, 1].tolist()) == {float(stop - start)}
        assert groups.labels[start:stop].sum() == 1
    assert stored.get_feature_name() == NAMES


def test_with_relevant_drops_the_queries_that_order_nothing(table_of) -> None:
    table = table_of([2, 3, 2]).with_columns(
        relevance=pl.when(pl.col("query_id") == "q1").then(0).otherwise("relevance").cast(pl.Int8)
    )
    kept = with_relevant(table)
    assert kept["query_id"].to_list() == ["q0", "q0", "q2", "q2"]
    assert kept.equals(table.filter(pl.col("query_id") != "q1"))


def test_weighted_tells_queries_of_several_relevant_passages_from_the_others() -> None:
    labels = np.array([1, 0, 0, 2, 1, 0, 0, 0, 0, 3])
    groups = Groups(np.zeros((10, 1), np.float32), labels, np.array([3, 3, 3, 1]))
    weights = groups.weighted(2.5)
    assert weights.tolist() == [1, 1, 1, 2.5, 2.5, 2.5, 1, 1, 1, 1]
    assert weights.dtype == np.float32
    assert groups.weighted(1).tolist() == [1] * 10


def test_weighted_of_no_queries_is_empty() -> None:
    nothing = np.empty(0, np.int64)
    assert len(Groups(np.empty((0, 1), np.float32), nothing, nothing).weighted(3)) == 0
