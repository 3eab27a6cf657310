from __future__ import annotations

import math

import pytest


def _idf(frequency: int) -> float:
    """Idf of a term that is in so many of the 13 passages."""
    return math.log(14 / (frequency + 1)) + 1


# The question "pilot" has the terms must (in 3 passages), pilot (3), hold (1) and licenc (4), pilot twice.
KNOWN = 2 * _idf(3) + _idf(1) + _idf(4)


def test_unigram_hits_count_distinct_terms(world) -> None:
    found = world.values("unigram_hits", "pilot")
    assert {passage: hits for passage, hits in found.items() if hits} == {
        "act:1.1": 4,
        "act:1.2": 1,
        "code:1": 2,
        "code:2": 1,
        "code:2.1": 2,
        "note:1": 1,
    }


def test_bigram_hits_count_adjacent_terms(world) -> None:
    found = world.values("bigram_hits", "lights")  # tow vessel, vessel light
    assert {passage: hits for passage, hits in found.items() if hits} == {"code:1.1": 1}


def test_q_coverage_counts_unknown_terms_too(world) -> None:
    found = world.values("q_coverage", "fees")  # vessel, fee, zebra
    assert found["act:2"] == pytest.approx(2 / 3)
    assert found["act:2.2"] == pytest.approx(1 / 3)
    assert found["note:1"] == 0
    assert math.isnan(world.values("q_coverage", "empty")["act:2"])
    assert world.values("q_coverage", "pilot")["act:1.1"] == 1  # a repeated term counts once


def test_idf_overlap_sum_adds_the_idf_of_the_shared_terms(world) -> None:
    found = world.values("idf_overlap_sum", "pilot")
    assert found["act:1.1"] == pytest.approx(KNOWN)
    assert found["code:1"] == pytest.approx(_idf(3) + _idf(4))
    assert found["note:1"] == pytest.approx(_idf(3))
    assert found["act:2"] == 0


def test_idf_coverage_is_a_share_of_the_known_terms(world) -> None:
    assert world.values("idf_coverage", "pilot")["code:1"] == pytest.approx((_idf(3) + _idf(4)) / KNOWN)
    found = world.values("idf_coverage", "fees")
    assert (found["act:2"], found["act:2.2"]) == pytest.approx((1, 0.5))
    assert math.isnan(world.values("idf_coverage", "empty")["act:2"])


def test_context_idf_coverage_reads_the_headings_above(world) -> None:
    found = world.values("context_idf_coverage", "lights")
    # "Towing Code" is above 6 passages; with their headings, 3 hold "vessel" and 2 "lights".
    total = _idf(6) + _idf(3) + _idf(2)
    assert found["code:1.1"] == pytest.approx(1)
    assert found["code:1.2"] == pytest.approx((_idf(6) + _idf(2)) / total)
    assert found["code:3"] == pytest.approx(_idf(6) / total)
    assert found["act:2"] == pytest.approx(_idf(3) / total)
    assert found["act:2.2"] == 0


def test_lengths_count_terms(world) -> None:
    assert set(world.values("q_len", "pilot").values()) == {5}  # "pilot" counts twice
    lengths = world.values("d_len", "pilot")
    assert (lengths["act:1.1"], lengths["note:1"], lengths["code:3"]) == (7, 3, 0)
    assert world.values("len_diff", "pilot")["act:1.1"] == 2
    assert world.values("len_diff", "pilot")["act:1.2"] == 1


def test_len_ratio_is_missing_for_a_passage_without_terms(world) -> None:
    found = world.values("len_ratio_q_over_d", "pilot")
    assert found["act:1.1"] == pytest.approx(5 / 7)
    assert math.isnan(found["code:3"])
    assert world.values("len_ratio_q_over_d", "empty")["act:1.1"] == 0
