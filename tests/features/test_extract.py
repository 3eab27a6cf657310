from __future__ import annotations

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from rulerank.arrays import FloatArray
from rulerank.errors import InputError
from rulerank.features import extract as module
from rulerank.features.extract import Batch, batches, describe, extract, look_again, named_pairs
from rulerank.features.feature_set import Feature, FeatureSet
from rulerank.features.index import DESCRIBED
from rulerank.features.listing import Listing
from rulerank.features.pairs import Pairs
from rulerank.features.registry import registered
from rulerank.features.withheld import of_clusters, unseen
from rulerank.retrieve.search import retrieve
from rulerank.settings import Candidates
from tests.features.plugged import RUN, TfIdf

SETTINGS = Candidates(runs=DESCRIBED, depth=3)
ALONE = registered().of_pass(1)
LISTED = registered().of_pass(2)


def _table(described: list[Batch], features: FeatureSet) -> pl.DataFrame:
    """One row per pair: question, passage and features."""
    return pl.concat(named_pairs(each.pairs).hstack(features.frame(each.matrix)) for each in described)


def _extracted(world, features: FeatureSet = ALONE, settings: Candidates = SETTINGS, **how) -> list[Batch]:
    return list(
        extract(world.index, world.queries, of_clusters(np.array(world.held_out)), features, settings, **how)
    )


def _questions(described: list[Batch]) -> list[list[str]]:
    return [list(each.pairs.queries.ids) for each in described]


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (1, [["pilot"], ["fees"], ["empty"], ["lights"]]),
        (17, [["pilot"], ["fees"], ["empty"], ["lights"]]),
        (18, [["pilot", "fees"], ["empty", "lights"]]),  # three runs of depth 3
        (27, [["pilot", "fees", "empty"], ["lights"]]),
        (1 << 15, [["pilot", "fees", "empty", "lights"]]),
    ],
)
def test_batches_hold_no_more_candidates_than_allowed(
    world, monkeypatch: pytest.MonkeyPatch, most: int, expected: list[list[str]]
) -> None:
    whole = _extracted(world)
    monkeypatch.setattr(module, "CANDIDATES", most)
    parts = _extracted(world)
    assert _questions(parts) == expected
    assert all(len(each.pairs.rows) <= max(most, 9) for each in parts)
    starts = [start for start, _ in batches(world.queries, SETTINGS)]
    assert starts == [0, *np.cumsum([len(ids) for ids in expected])[:-1]]
    # The questions are described as in one batch, each with its own judgements held out.
    assert_frame_equal(_table(parts, ALONE), _table(whole, ALONE), abs_tol=1e-6)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_extract_describes_no_more_batches_ahead_than_it_has_workers(
    world, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    described = []

    def counted(*arguments):
        described.append(arguments)
        return retrieve(*arguments)

    monkeypatch.setattr(module, "retrieve", counted)
    queries = world.queries.take(np.array([0, 1, 2, 3] * 3))
    found = extract(world.index, queries, unseen(queries), ALONE, SETTINGS, workers=workers)
    for taken, batch in enumerate(found, start=1):
        assert batch.pairs.queries.ids == [queries.ids[taken - 1]]
        assert len(described) <= taken + workers
    assert len(described) == taken == 12


def test_extract_is_the_same_for_any_number_of_workers(world, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    one, three = _extracted(world, workers=1), _extracted(world, workers=3)
    assert [each.matrix.tobytes() for each in one] == [each.matrix.tobytes() for each in three]


def test_extract_of_no_questions_gives_no_batch(world) -> None:
    nobody = world.queries.slice(0, 0)
    assert list(extract(world.index, nobody, unseen(nobody), ALONE, SETTINGS)) == []


def test_extract_passes_on_the_error_of_a_feature(world) -> None:
    with pytest.raises(ValueError, match="expected a Listing for 'leaders_judged'"):
        _extracted(world, registered())


def test_unseen_questions_hold_nothing_out(world) -> None:
    assert unseen(world.queries).clusters.tolist() == [-1, -1, -1, -1]
    seen = world.values("relevance_prior", "pilot")["act:1.1"]
    (batch,) = extract(
        world.index,
        world.queries.slice(0, 1),
        unseen(world.queries.slice(0, 1)),
        registered().named(["relevance_prior"]),
        Candidates(runs=DESCRIBED),
    )
    assert (seen, batch.matrix[0, 0]) == (1, 3)


def test_every_feature_is_there_whichever_runs_find_the_candidates(world) -> None:
    settings = Candidates(runs=("bm25_context",), depth=2)
    (batch,) = extract(world.index, world.queries, unseen(world.queries), ALONE, settings)
    assert batch.matrix.shape[1] == len(ALONE)
    assert len(np.unique(batch.pairs.rows)) == 3  # "Of the?" matches nothing.


def test_run_from_outside_finds_candidates_and_describes_them(world) -> None:
    features = registered([TfIdf.name]).named(["tfidf_score", "tfidf_rank", "tfidf_share", "idf_overlap_sum"])
    (batch,) = _extracted(world.with_tfidf(), features, Candidates(runs=(RUN,), depth=2))
    table = _table([batch], features).filter(pl.col("query_id") == "fees")
    # Both passages hold "vessel" and "fee", each of them in three passages.
    assert table["passage_id"].to_list() == ["act:2", "act:2.1"]
    assert table["tfidf_rank"].to_list() == [1, 2]
    assert table["tfidf_share"].to_list() == [1, 1]
    assert table["tfidf_score"].to_list() == pytest.approx([_lucene_idf(3) + _lucene_idf(3)] * 2)


def _lucene_idf(frequency: int) -> float:
    """Idf by Lucene of a term in so many of the 13 passages."""
    return float(np.log(1 + (13 - frequency + 0.5) / (frequency + 0.5)))


def test_named_pairs_stand_in_the_order_of_the_pairs(world) -> None:
    pairs = world.pairs(["fees", "pilot"], depth=1).pairs
    assert named_pairs(pairs).rows() == [
        ("fees", "act:2"),
        ("fees", "act:2.1"),
        ("pilot", "act:1.1"),
        ("pilot", "act:1.2"),
    ]


# The second pass.


@pytest.fixture
def looked_again(world, first_pass):
    """Add features of the second pass to a table, as training does."""

    def of(
        table: pl.DataFrame, features: FeatureSet = LISTED, described: FeatureSet = ALONE, workers: int = 1
    ) -> pl.DataFrame:
        withheld = of_clusters(np.array(world.held_out))
        columns = look_again(
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
    again = looked_again(_table(_extracted(world), ALONE))
    served = _extracted(world, ALONE.joined(LISTED), first_pass=first_pass)
    assert again.columns == ["query_id", "passage_id", *ALONE.names, *LISTED.names]
    assert_frame_equal(again, _table(served, ALONE.joined(LISTED)), check_exact=True)


def test_second_pass_of_small_batches_is_that_of_one(
    world, looked_again, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = _table(_extracted(world), ALONE)
    whole = looked_again(table)
    monkeypatch.setattr(module, "CANDIDATES", 1)
    assert_frame_equal(looked_again(table), whole, abs_tol=1e-6)


def test_second_pass_may_look_at_all_that_the_first_looked_at(world, first_pass, looked_again) -> None:
    def seen(listing: Listing) -> FloatArray:
        pairs = listing.pairs
        ranked = pairs.retrieved.found["bm25"].ranks_of(pairs.rows, pairs.columns, len(pairs.index))
        return (pairs.run_scores["bm25"] + pairs.run_scores["rrf"] + np.nan_to_num(ranked)).astype(np.float32)

    looking = FeatureSet((Feature("seen", "listwise", "Sum of what the runs say.", seen, 2),))
    again = looked_again(_table(_extracted(world), ALONE), looking)
    served = _table(_extracted(world, ALONE.joined(looking), first_pass=first_pass), ALONE.joined(looking))
    assert again["seen"].to_list() == served["seen"].to_list()
    (first,) = again.filter(query_id="pilot", passage_id="act:1.1").rows(named=True)
    assert first["seen"] == pytest.approx(first["bm25_score"] + first["rrf_score"] + 1)  # the first by BM25


def test_second_pass_is_the_same_for_any_number_of_workers(
    world, looked_again, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    table = _table(_extracted(world), ALONE)
    assert looked_again(table, workers=3).equals(looked_again(table))


def test_rows_behind_those_of_the_questions_are_passed_over(world, first_pass) -> None:
    table = _table(_extracted(world), ALONE)
    longer = pl.concat([table, table.with_columns(query_id=pl.lit("another"))])
    alone, both = (
        pl.concat(
            look_again(
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
    table = _table(_extracted(world), ALONE)
    with pytest.raises(
        InputError,
        match=f"expected the 16 candidates of 4 questions in order, found {rows} rows with other pairs. "
        "Run `dvc repro extract`",
    ):
        looked_again(change(table))


def test_describe_without_a_first_pass_is_the_matrix_of_the_pairs(world) -> None:
    pairs: Pairs = world.pairs().pairs
    assert describe(pairs, ALONE).tobytes() == ALONE.compute(pairs).tobytes()


def test_describe_puts_the_second_pass_beside_the_first(world, first_pass) -> None:
    pairs = world.pairs().pairs
    alone = registered().named(list(first_pass.features.names))
    both = alone.joined(registered().named(["first_rank", "first_gap"]))
    matrix = describe(pairs, both, first_pass)
    assert matrix.shape == (len(pairs.rows), len(alone) + 2)
    for start, stop in pairwise(pairs.starts.tolist()):
        best = start + int(matrix[start:stop, -2].argmin())
        assert matrix[best, -1] == 0
        assert sorted(matrix[start:stop, -2]) == list(range(1, stop - start + 1))


def test_pairs_of_a_question_without_candidates_are_none(world) -> None:
    pairs = world.pairs(["pilot", "empty", "lights"], depth=2, runs=("bm25",)).pairs
    assert np.diff(pairs.starts).tolist() == [2, 0, 2]
    assert np.isfinite(pairs.evidence.prior).all()
