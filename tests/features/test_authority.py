from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rulerank.features.registry import registered


@pytest.fixture(scope="module")
def amended(world):
    """The harbour, where code:3 voids act:1.2, and act:1.2 voided act:1.1."""
    return world.amended()


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        ("superseded", {"act:1.1": 1, "act:1.2": 1, "code:3": 0, "act:2.1": 0}),
        ("frontier", {"act:1.1": 0, "act:1.2": 0, "code:3": 1, "act:2.1": 0}),
        ("superseding_chain", {"act:1.1": 2, "act:1.2": 1, "code:3": 0, "act:2.1": 0}),
        ("superseder_found", {"act:1.1": 1, "act:1.2": 1, "code:3": 0, "act:2.1": 0}),
    ],
)
def test_authority_says_what_is_voided(amended, feature: str, expected: dict[str, float]) -> None:
    found = amended.values(feature, "pilot")
    assert {passage: found[passage] for passage in expected} == expected


def test_superseder_counts_only_among_the_candidates_of_the_question(amended) -> None:
    pairs = amended.pairs(["pilot"]).pairs
    ids = amended.index.passage_ids.gather(pairs.columns).to_list()
    kept = np.array([passage in ("act:1.1", "act:2.1") for passage in ids])
    retrieved = replace(pairs.retrieved, rows=pairs.rows[kept], columns=pairs.columns[kept])
    fewer = replace(pairs, retrieved=retrieved)
    assert registered().named(["superseder_found"]).compute(fewer).ravel().tolist() == [0, 0]


def test_corpus_without_supersession_has_zeros(world) -> None:
    assert set(world.values("superseded", "pilot").values()) == {0}
    assert set(world.values("superseder_found", "pilot").values()) == {0}
