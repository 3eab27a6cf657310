"""The second pass in training: the same as in serving, whatever the batches."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from rulerank.arrays import FloatArray
from rulerank.errors import InputError
from rulerank.features import extract as module
from rulerank.features.extract import extract_second_pass
from rulerank.features.feature_set import Feature, FeatureSet
from rulerank.features.listing import Listing
from rulerank.features.registry import registered
from rulerank.features.withheld import of_clusters
from tests.features.extracted import ALONE, LISTED, SETTINGS, extracted, table_of


@pytest.fixture
def looked_again(world, first_pass):
    """Add features of the second pass to a table, as training does."""

    def of(
        table: pl.DataFrame, features: FeatureSet = LISTED, described: FeatureSet = ALONE, workers: int = 1
    ) -> pl.DataFrame:
        withheld = of_clusters(np.array(world.held_out))
        columns = extract_second_pass(
            world.index, world.queries, withheld, described, features, SETTINGS, first_pass, table, workers
        )
        return table.hstack(pl.concat(columns))

    return of


def test_listing_ranks_by_the_trees_and_states_probabilities(world, first_pass) -> None:
    pairs = world.pairs().pairs
    described = registered().named([*reversed(first_pass.features.names), "deg"])
    listing = first_pass.listing(pairs, described, described.compute(pairs))
    assert listing.pairs is pairs
    expected = first_pass.trees.scores(first_pass.features.compute(pairs)).astype(np.float32)
    assert listing.first_score.tolist() == expected.tolist()
    assert listing.probability == pytest.approx(1 / (1 + np.exp(4 - 8 * expected)), abs=1e-6)
    best = listing.columns[[ranks.argmin() for ranks in np.split(listing.first_rank, pairs.starts[1:-1])]]
    assert world.index.passage_ids[best].to_list()[:2] == ["act:1.1", "act:2"]


def test_second_pass_sees_the_same_in_training_as_in_serving(world, first_pass, looked_again) -> None:
    again = looked_again(table_of(extracted(world), ALONE))
    served = extracted(world, ALONE.joined(LISTED), first_pass=first_pass)
    assert again.columns == ["query_id", "passage_id", *ALONE.names, *LISTED.names]
    assert_frame_equal(again, table_of(served, ALONE.joined(LISTED)), check_exact=True)


def test_second_pass_of_small_batches_is_that_of_one(
    world, looked_again, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(extracted(world), ALONE)
    whole = looked_again(table)
    monkeypatch.setattr(module, "CANDIDATES", 1)
    assert_frame_equal(looked_again(table), whole, abs_tol=1e-6)


def test_second_pass_may_look_at_all_that_the_first_looked_at(world, first_pass, looked_again) -> None:
    def seen(listing: Listing) -> FloatArray:
        pairs = listing.pairs
        ranked = pairs.retrieved.found["bm25"].ranks_of(pairs.rows, pairs.columns, len(pairs.index))
        return (pairs.run_scores["bm25"] + pairs.run_scores["rrf"] + np.nan_to_num(ranked)).astype(np.float32)

    looking = FeatureSet((Feature("seen", "listwise", "Sum of what the runs say.", seen, 2),))
    again = looked_again(table_of(extracted(world), ALONE), looking)
    served = table_of(extracted(world, ALONE.joined(looking), first_pass=first_pass), ALONE.joined(looking))
    assert again["seen"].to_list() == served["seen"].to_list()
    (first,) = again.filter(query_id="pilot", passage_id="act:1.1").rows(named=True)
    assert first["seen"] == pytest.approx(first["bm25_score"] + first["rrf_score"] + 1)  # the first by BM25


def test_second_pass_is_the_same_for_any_number_of_workers(
    world, looked_again, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    table = table_of(extracted(world), ALONE)
    assert looked_again(table, workers=3).equals(looked_again(table))


def test_rows_behind_those_of_the_questions_are_passed_over(world, first_pass) -> None:
    table = table_of(extracted(world), ALONE)
    longer = pl.concat([table, table.with_columns(query_id=pl.lit("another"))])
    alone, both = (
        pl.concat(
            extract_second_pass(
                world.index,
                world.queries,
                of_clusters(np.array(world.held_out)),
                ALONE,
                LISTED,
                SETTINGS,
                first_pass,
                rows,
            )
        )
        for rows in (table, longer)
    )
    assert alone.height == table.height
    assert alone.equals(both)


@pytest.mark.parametrize(
    ("change", "rows"),
    [
        (lambda table: table.slice(1), 15),
        (lambda table: table.clear(), 0),
        (lambda table: pl.concat([table, table.head(1)]), 17),
        (lambda table: table.reverse(), 16),
        (lambda table: table.with_columns(passage_id=pl.lit("act:1")), 16),
    ],
    ids=["lacking", "empty", "twice", "another order", "others"],
)
def test_table_of_other_pairs_is_refused(world, looked_again, change, rows: int) -> None:
    table = table_of(extracted(world), ALONE)
    with pytest.raises(
        InputError,
        match=f"expected the 16 candidates of 4 questions in order, found {rows} rows with other pairs. "
        "Run `dvc repro extract`",
    ):
        looked_again(change(table))
