from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from rulerank.features import extract as module
from rulerank.features.extract import Batch, batches, describe, extract, named_pairs
from rulerank.features.index import DESCRIBED
from rulerank.features.pairs import Pairs
from rulerank.features.registry import registered
from rulerank.features.withheld import nothing_withheld
from rulerank.retrieve.search import retrieve
from rulerank.settings import Candidates
from tests.features.extracted import ALONE, SETTINGS, extracted, table_of
from tests.features.plugged import RUN, TfIdf


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
    whole = extracted(world)
    monkeypatch.setattr(module, "CANDIDATES", most)
    parts = extracted(world)
    assert _questions(parts) == expected
    assert all(len(each.pairs.rows) <= max(most, 9) for each in parts)
    starts = [start for start, _ in batches(world.queries, SETTINGS)]
    assert starts == [0, *np.cumsum([len(ids) for ids in expected])[:-1]]
    # The features are those of one batch, with the own judgements of each question held out.
    assert_frame_equal(table_of(parts, ALONE), table_of(whole, ALONE), abs_tol=1e-6)


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
    found = extract(world.index, queries, nothing_withheld(queries), ALONE, SETTINGS, workers=workers)
    for taken, batch in enumerate(found, start=1):
        assert batch.pairs.queries.ids == [queries.ids[taken - 1]]
        assert len(described) <= taken + workers
    assert len(described) == taken == 12


def test_extract_is_the_same_for_any_number_of_workers(world, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    one, three = extracted(world, workers=1), extracted(world, workers=3)
    assert [each.matrix.tobytes() for each in one] == [each.matrix.tobytes() for each in three]


def test_passages_left_out_are_neither_candidates_nor_around_one(
    world, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CANDIDATES", 1)
    everything = Candidates(runs=DESCRIBED, depth=150)
    ids = world.index.passage_ids
    gone = [np.flatnonzero(ids == each) for each in ("act:2", "note:1", "note:1", "act:2")]
    whole, left = (
        table_of(extracted(world, settings=everything, without=without), ALONE) for without in (None, gone)
    )
    left_out = pl.struct("query_id", "passage_id").is_in(
        [
            {"query_id": query, "passage_id": ids[int(rows[0])]}
            for query, rows in zip(world.queries.ids, gone, strict=True)
        ]
    )
    beneath = pl.col("passage_id").is_in(["act:2.1", "act:2.2"]) & pl.col("query_id").is_in(
        ["pilot", "lights"]
    )
    parents = pl.when(beneath).then(math.nan).otherwise("dense_parent").cast(pl.Float32)
    columns = "query_id", "passage_id", "dense_parent"
    assert_frame_equal(
        left.select(columns), whole.filter(~left_out).with_columns(dense_parent=parents).select(columns)
    )


def test_extract_of_no_questions_gives_no_batch(world) -> None:
    nobody = world.queries.slice(0, 0)
    assert list(extract(world.index, nobody, nothing_withheld(nobody), ALONE, SETTINGS)) == []


def test_extract_passes_on_the_error_of_a_feature(world) -> None:
    with pytest.raises(ValueError, match="expected a Listing for 'leaders_judged'"):
        extracted(world, registered())


def test_unseen_questions_hold_nothing_out(world) -> None:
    assert nothing_withheld(world.queries).clusters.tolist() == [-1, -1, -1, -1]
    seen = world.values("relevance_prior", "pilot")["act:1.1"]
    (batch,) = extract(
        world.index,
        world.queries.slice(0, 1),
        nothing_withheld(world.queries.slice(0, 1)),
        registered().named(["relevance_prior"]),
        Candidates(runs=DESCRIBED),
    )
    assert (seen, batch.matrix[0, 0]) == (1, 3)


def test_every_feature_is_there_whichever_runs_find_the_candidates(world) -> None:
    settings = Candidates(runs=("bm25_context",), depth=2)
    (batch,) = extract(world.index, world.queries, nothing_withheld(world.queries), ALONE, settings)
    assert batch.matrix.shape[1] == len(ALONE)
    assert len(np.unique(batch.pairs.rows)) == 3  # "Of the?" matches nothing.


def test_run_from_outside_finds_candidates_and_describes_them(world) -> None:
    features = registered([TfIdf.name]).named(["tfidf_score", "tfidf_rank", "tfidf_share", "idf_overlap_sum"])
    (batch,) = extracted(world.with_tfidf(), features, Candidates(runs=(RUN,), depth=2))
    table = table_of([batch], features).filter(pl.col("query_id") == "fees")
    # Both passages hold "vessel" and "fee", each of them in three passages.
    assert table["passage_id"].to_list() == ["act:2", "act:2.1"]
    assert table["tfidf_rank"].to_list() == [1, 2]
    assert table["tfidf_share"].to_list() == [1, 1]
    assert table["tfidf_score"].to_list() == pytest.approx([_lucene_idf(3) + _lucene_idf(3)] * 2)


def _lucene_idf(frequency: int) -> float:
    """Lucene's idf of a term that is in so many of the 13 passages."""
    return float(np.log(1 + (13 - frequency + 0.5) / (frequency + 0.5)))


def test_named_pairs_stand_in_the_order_of_the_pairs(world) -> None:
    pairs = world.pairs(["fees", "pilot"], depth=1).pairs
    assert named_pairs(pairs).rows() == [
        ("fees", "act:2"),
        ("fees", "act:2.1"),
        ("pilot", "act:1.1"),
        ("pilot", "act:1.2"),
    ]


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
