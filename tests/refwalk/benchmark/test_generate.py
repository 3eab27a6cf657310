from __future__ import annotations

import numpy as np
import pytest

from rulerank.bundle import Bundle
from rulerank.ranker import Ranker
from rulerank.refwalk.benchmark.gates import fault
from rulerank.refwalk.benchmark.generate import Benchmark, Item, balanced, coupling, generate
from rulerank.refwalk.benchmark.relations import ReferenceSet


@pytest.fixture(scope="module")
def corpus(ranker: Ranker) -> Bundle:
    return ranker.bundle


@pytest.fixture(scope="module")
def made(corpus: Bundle) -> Benchmark:
    return generate(corpus.passages, corpus.documents, corpus.edges, 60, seed=7)


def _item(number: int, hops: int, overlap: float) -> Item:
    return Item(f"question {number}", ReferenceSet("R1", (number,), hops), "L1", overlap, hops)


def test_every_question_passes_every_gate(made: Benchmark, corpus: Bundle) -> None:
    texts = corpus.passages["text"]
    assert len(made.items) > 30
    assert {item.evidence.relation for item in made.items} == {"R1", "R2", "R3", "R4"}
    for item in made.items:
        assert fault(item.text, [texts[row] for row in item.evidence.passages]) is None


def test_same_seed_gives_the_same_benchmark(made: Benchmark, corpus: Bundle) -> None:
    again = generate(corpus.passages, corpus.documents, corpus.edges, 60, seed=7)
    assert again == made


def test_rewording_goes_through_the_gates(corpus: Bundle) -> None:
    same = generate(
        corpus.passages, corpus.documents, corpus.edges, 5, 7, lambda question, rules: "What of it all?"
    )
    assert same.items == ()
    assert same.refused["6 to 80 words"] > 0


def test_balance_unties_overlap_from_hops() -> None:
    generator = np.random.default_rng(1)
    tied = [_item(each, each % 3, 0.1 * (each % 3) + 0.6 * generator.random()) for each in range(900)]
    assert coupling(tied, seed=1).low > 0.2
    apart = coupling(balanced(tied, generator), seed=1)
    assert apart.items > 300
    assert apart.low < 0 < apart.high
    assert abs(apart.rho) < 0.08


def test_coupling_of_an_axis_that_does_not_vary_is_unknown() -> None:
    assert np.isnan(coupling([_item(each, 1, each / 9) for each in range(9)], seed=1).rho)
    assert np.isnan(coupling([], seed=1).low)
