from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rulerank.features import extract as module
from rulerank.features.extract import extract, unseen
from rulerank.features.registry import registered
from rulerank.retrieve.search import GENERATORS, retrieve
from rulerank.settings import Candidates

SETTINGS = Candidates(runs=GENERATORS, depth=3)
ALONE = registered().of_pass(1)


def _rows(world, batches) -> list[tuple]:
    """One row a pair: question, passage and features; NaN as None."""
    return [
        (
            batch.queries.ids[row],
            world.index.passage_ids[int(column)],
            *(None if np.isnan(value) else round(float(value), 5) for value in values),
        )
        for batch in batches
        for row, column, values in zip(
            batch.retrieved.rows, batch.retrieved.columns, batch.matrix, strict=True
        )
    ]


def test_extract_in_small_batches_is_that_in_one(world, monkeypatch: pytest.MonkeyPatch) -> None:
    held_out = np.array(world.held_out)
    whole = list(extract(world.index, world.queries, held_out, ALONE, SETTINGS))
    monkeypatch.setattr(module, "CELLS", 2 * len(world.index))
    parts = list(extract(world.index, world.queries, held_out, ALONE, SETTINGS))
    assert [len(part.queries) for part in whole] == [4]
    assert [len(part.queries) for part in parts] == [2, 2]
    assert _rows(world, parts) == _rows(world, whole)


def test_extract_of_a_corpus_larger_than_a_batch_goes_question_by_question(
    world, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CELLS", 1)
    found = list(extract(world.index, world.queries, unseen(world.queries), ALONE, SETTINGS))
    assert [batch.queries.ids for batch in found] == [["pilot"], ["fees"], ["empty"], ["lights"]]


def test_extract_describes_the_candidates_it_is_given(world) -> None:
    held_out = np.array(world.held_out)
    (own,) = extract(world.index, world.queries, held_out, ALONE, SETTINGS)
    pairs = pl.DataFrame(
        {
            "query_id": [own.queries.ids[row] for row in own.retrieved.rows],
            "passage_id": world.index.passage_ids.gather(own.retrieved.columns),
        }
    )
    (given,) = extract(world.index, world.queries, held_out, ALONE, SETTINGS, pairs.reverse())
    assert _rows(world, [given]) == _rows(world, [own])


def test_extract_of_no_questions_gives_no_batch(world) -> None:
    nobody = world.queries.slice(0, 0)
    assert list(extract(world.index, nobody, unseen(nobody), ALONE, SETTINGS)) == []


def test_unseen_questions_hold_nothing_out(world) -> None:
    assert unseen(world.queries).tolist() == [-1, -1, -1, -1]
    seen = world.values("relevance_prior", "pilot")["act:1.1"]
    (batch,) = extract(
        world.index,
        world.queries.slice(0, 1),
        unseen(world.queries.slice(0, 1)),
        registered().named(["relevance_prior"]),
        Candidates(runs=GENERATORS),
    )
    assert (seen, batch.matrix[0, 0]) == (1, 3)


def test_extract_describes_no_more_batches_ahead_than_it_has_workers(world, monkeypatch) -> None:
    monkeypatch.setattr(module, "CELLS", 1)
    described = []

    def counted(*arguments):
        described.append(arguments)
        return retrieve(*arguments)

    monkeypatch.setattr(module, "retrieve", counted)
    batches = extract(world.index, world.queries, unseen(world.queries), ALONE, SETTINGS, workers=1)
    assert next(batches).queries.ids == ["pilot"]
    assert len(described) <= 2
    assert [batch.queries.ids for batch in batches] == [["fees"], ["empty"], ["lights"]]


def test_every_feature_is_there_whichever_runs_find_the_candidates(world) -> None:
    settings = Candidates(runs=("bm25_context",), depth=2)
    (batch,) = extract(world.index, world.queries, unseen(world.queries), ALONE, settings)
    assert batch.matrix.shape[1] == len(ALONE)
    assert len(np.unique(batch.retrieved.rows)) == 3  # "Of the?" matches nothing.
