from __future__ import annotations

import math

import numpy as np
import pytest

from rulerank.features import neighbours
from rulerank.graph.adjacency import ancestors
from tests.features.world import OFF


def test_neighbour_means_are_over_the_graph_neighbours(world) -> None:
    # For act:2: the passages beneath it and the one before it, (4,3,0,0), (0,3,4,0) and (0,0,4,3) fifths.
    for feature in ("dense_neighbour_mean", "q_to_nbrmean_cos"):
        assert world.values(feature, "fees")["act:2"] == pytest.approx((0 + 0.8 + 0.8) / 3, abs=OFF)
    assert world.values("q_to_nbrcentroid_cos", "fees")["act:2"] == pytest.approx(1.6 / math.sqrt(5), abs=OFF)
    bm25 = world.values("bm25_score", "fees")
    expected = (bm25["act:1.2"] + bm25["act:2.1"] + bm25["act:2.2"]) / 3
    assert world.values("bm25_neighbour_mean", "fees")["act:2"] == pytest.approx(expected)


def test_passage_without_neighbours_has_no_neighbour_value(world) -> None:
    for feature in (
        "dense_neighbour_mean",
        "bm25_neighbour_mean",
        "q_to_nbrmean_cos",
        "q_to_nbrcentroid_cos",
    ):
        found = world.values(feature, "fees")
        assert [passage for passage, value in found.items() if math.isnan(value)] == ["note:1"]


@pytest.mark.parametrize("run", ["bm25", "dense"])
def test_parent_lends_its_score(world, run: str) -> None:
    scores, found = (world.values(f"{run}_{what}", "fees") for what in ("score", "parent"))
    assert found["act:2.1"] == found["act:2.2"] == scores["act:2"] > 0
    assert found["code:2.1"] == scores["code:2"]
    # The parent of act:1.1 and act:1.2 is a heading without text.
    assert {passage for passage, value in found.items() if not math.isnan(value)} == {
        "act:2.1",
        "act:2.2",
        "code:1.1",
        "code:1.2",
        "code:2.1",
    }


@pytest.mark.parametrize("run", ["bm25", "dense"])
def test_ancestor_max_looks_all_the_way_up(world, run: str) -> None:
    # code:1.2 under act:2.2 under act:2.1 under act:2, and act:1.1 under code:3.
    parents = np.full(len(world.index), -1)
    parents[[8, 5, 4, 1]] = [5, 4, 3, 11]
    deep = world.with_around(parents=parents, ancestors=ancestors(parents))
    scores, found = (deep.values(f"{run}_{what}", "fees") for what in ("score", "ancestor_max"))
    assert found["act:2.1"] == scores["act:2"]
    assert found["act:2.2"] == max(scores["act:2"], scores["act:2.1"])
    assert found["code:1.2"] == max(scores["act:2"], scores["act:2.1"]) > scores["act:2.2"]
    assert found["act:1.1"] == scores["code:3"]
    assert math.isnan(found["act:2"])


@pytest.mark.parametrize("run", ["bm25", "dense"])
def test_adjacent_max_is_the_better_side_in_the_document(world, run: str) -> None:
    scores, found = (world.values(f"{run}_{what}", "fees") for what in ("score", "adjacent_max"))
    assert found["act:2.1"] == max(scores["act:2"], scores["act:2.2"])
    assert found["code:1"] == scores["code:1.1"]  # the first of its document
    assert found["act:2.2"] == scores["act:2.1"]  # the last
    assert math.isnan(found["note:1"])  # alone


def test_siblings_found_counts_the_others_of_the_section(world) -> None:
    # Both rules of act:2 and code:1.1 have vessels or fees; no rule of act:1 has.
    found = world.values("bm25_siblings_found", "fees")
    assert {passage: count for passage, count in found.items() if count} == {
        "act:2.1": 1,
        "act:2.2": 1,
        "code:1.2": 1,
    }


def test_siblings_found_looks_at_the_first_twenty_alone(world, monkeypatch) -> None:
    monkeypatch.setattr(neighbours, "SUPPORTERS", 1)
    # BM25 ranks act:1.1 first, dense ranks act:1.2 first.
    first, other = ("act:1.1", "act:1.2")
    found = {run: world.values(f"{run}_siblings_found", "pilot") for run in ("bm25", "dense")}
    assert (found["bm25"][first], found["bm25"][other]) == (0, 1)
    assert (found["dense"][first], found["dense"][other]) == (1, 0)


def test_section_support_sums_the_others_of_the_section(world) -> None:
    fused, found = (world.values(name, "fees") for name in ("rrf_score", "section_support"))
    assert found["act:2.1"] == pytest.approx(fused["act:2.2"], abs=1e-7)
    assert found["code:1.1"] == pytest.approx(fused["code:1.2"], abs=1e-7)
    assert found["note:1"] == 0


def test_document_support_sums_the_others_of_the_document(world) -> None:
    fused, found = (world.values(name, "fees") for name in ("rrf_score", "document_support"))
    act = sum(score for passage, score in fused.items() if passage.startswith("act:"))
    assert found["act:2"] == pytest.approx(act - fused["act:2"], abs=1e-7)
    assert found["note:1"] == 0


def test_feedback_compares_with_the_centroid_of_the_five_best(world) -> None:
    fused = world.values("fused_score", "fees")
    best = sorted(fused, key=fused.__getitem__, reverse=True)[:5]
    dense = world.index.dense
    vectors = dict(zip(world.index.passage_ids, dense.vectors.numbers()[dense.place], strict=True))
    centroid = np.mean([vectors[passage] for passage in best], axis=0)
    centroid /= np.linalg.norm(centroid)
    for name in ("feedback_score", "feedback_pretrained_score"):
        found = world.values(name, "fees")
        assert found["act:2"] == pytest.approx(float(vectors["act:2"] @ centroid), abs=1e-6)
        assert found["note:1"] == pytest.approx(float(vectors["note:1"] @ centroid), abs=1e-6)
