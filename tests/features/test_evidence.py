"""What training judgements say, compared with sums written out one by one."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.features import evidence as module
from rulerank.features.co_judged import RESIDUE, co_judged
from rulerank.features.evidence import gather, softmax
from rulerank.features.judged import Judged
from rulerank.features.judgement_index import JudgementIndex, build_judgement_index
from rulerank.features.withheld import of_clusters
from rulerank.retrieve.quantized import QuantizedVectors
from rulerank.tables import JUDGEMENTS
from tests.features.world import OFF

PASSAGES = 6

# Training questions: cluster, whether the text is known, relevant passages.
Sets = list[tuple[int, bool, list[int]]]
_SETS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.booleans(),
        st.lists(st.integers(0, PASSAGES - 1), min_size=1, max_size=4, unique=True),
    ),
    max_size=6,
)
_COLUMNS = st.lists(st.integers(0, PASSAGES - 1), unique=True).map(sorted)
_HELD_OUT = st.integers(-1, 3)


def _index(sets: Sets, vectors: np.ndarray | None = None) -> JudgementIndex:
    rows = [(f"t{row}", str(passage), 1) for row, (_, _, ids) in enumerate(sets) for passage in ids]
    with_text = np.array([row for row, (_, known, _) in enumerate(sets) if known], np.int64)
    return build_judgement_index(
        pl.DataFrame(rows, schema=dict(JUDGEMENTS.columns), orient="row"),
        pl.Series([str(passage) for passage in range(PASSAGES)]),
        [f"t{row}" for row in range(len(sets))],
        np.array([cluster for cluster, _, _ in sets], np.int64),
        with_text,
        QuantizedVectors.of(np.zeros((len(with_text), 2), np.float32) if vectors is None else vectors),
        *np.zeros((2, PASSAGES), np.int64),
    )


def _best(fused: np.ndarray, rows: np.ndarray, questions: int) -> np.ndarray:
    """Return each question's best pairs by `fused`, with -1 beyond its last."""
    best = np.full((questions, module.SUPPORTERS), -1, np.int64)
    for row in range(questions):
        own = np.flatnonzero(rows == row)
        own = own[np.argsort(-fused[own], kind="stable")][: module.SUPPORTERS]
        best[row, : len(own)] = own
    return best


def _one(index: JudgementIndex, columns: list[int], held_out: int = -1) -> Judged:
    """Look up the judgements of one question's candidates."""
    rows = np.zeros(len(columns), np.int64)
    return index.of_pairs(rows, np.array(columns, np.int64), of_clusters(np.array([held_out])))


# Three training questions: 0 and 1 together, 1 and 2 together, 1 alone. The last two share a cluster.
SMALL: Sets = [(0, True, [0, 1]), (1, True, [1, 2]), (1, False, [1])]


def test_of_pairs_names_the_questions_of_other_clusters() -> None:
    rows, columns = np.array([0, 0, 0, 1, 2]), np.array([0, 1, 2, 1, 5])
    judged = _index(SMALL).of_pairs(rows, columns, of_clusters(np.array([-1, 1, -1])))
    assert list(zip(judged.pairs.tolist(), judged.questions.tolist(), strict=True)) == [
        (0, 0),
        (1, 0),
        (1, 1),
        (1, 2),
        (2, 1),
        (3, 0),
    ]
    assert judged.prior.tolist() == [1, 3, 1, 1, 0]


def test_co_judged_gives_the_weight_of_what_is_judged_together() -> None:
    index = _index(SMALL)
    judged = _one(index, [0, 1, 2])
    weights = np.array([0.5, 0.3, 0.2], np.float32)
    support, rate = co_judged(index, judged, weights)
    assert support.tolist() == pytest.approx([0.3, 0.5 + 0.2, 0.3])
    # Passage 1 is judged three times, so each of its questions passes on a third of its weight.
    assert rate.tolist() == pytest.approx([0.1, 0.5 + 0.2, 0.1])


def test_what_a_sum_leaves_that_should_be_0_is_0() -> None:
    # Passage 0 is judged alone, by questions whose weights do not add up exactly.
    index = _index([(cluster, False, [0]) for cluster in range(3)] * 333)
    judged = _one(index, [0])
    for weight in (0.1, 0.7, 1.0):
        support, rate = co_judged(index, judged, np.array([weight], np.float32))
        assert (support[0], rate[0]) == (0, 0)


def test_support_below_the_residue_counts_as_none() -> None:
    index = _index([(0, False, [0, 1])])
    judged = _one(index, [0, 1])
    weights = np.array([RESIDUE / 2, RESIDUE * 2], np.float32)
    support, _ = co_judged(index, judged, weights)
    assert support.tolist() == pytest.approx([RESIDUE * 2, 0])


def test_softmax_weighs_by_sharpness_and_gives_nothing_for_nothing() -> None:
    assert softmax(np.array([0.9, 0.8], np.float32)).tolist() == pytest.approx(
        [1 / (1 + np.exp(-2)), 1 / (1 + np.exp(2))], abs=1e-6
    )
    assert softmax(np.array([0.5, -np.inf], np.float32)).tolist() == [1, 0]
    assert softmax(np.full(2, -np.inf, np.float32)).tolist() == [0, 0]
    assert softmax(np.empty(0, np.float32)).tolist() == []


def test_evidence_looks_at_so_many_supporters_and_voters_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SUPPORTERS", 1)
    monkeypatch.setattr(module, "VOTERS", 1)
    vectors = np.array([[1, 0], [0.6, 0.8]], np.float32)
    index = _index(SMALL, vectors)
    judged = _one(index, [0, 1, 2])
    asked, fused = np.array([[1, 0]], np.float32), np.array([0.9, 0.1, 0.2], np.float32)
    found = gather(index, asked, judged, fused, _best(fused, judged.rows, 1), of_clusters(np.array([-1])))
    assert found.prior.tolist() == [1, 3, 1]
    assert found.support.tolist() == [0, 1, 0]  # passage 0 has all the weight
    assert found.rate.tolist() == [0, 1, 0]
    # Passage 1 passes on a third of its rate through each of its questions; 0 and 2 are judged with it.
    assert found.two_hops.tolist() == pytest.approx([1 / 3, 0, 1 / 3])
    assert found.votes.tolist() == [1, 1, 0]  # the nearest question alone
    assert found.nearest.tolist() == pytest.approx([1, 1, 0.6], abs=OFF)


@given(sets=_SETS, columns=_COLUMNS, held_out=_HELD_OUT, seed=st.integers(0, 99))
def test_evidence_is_that_of_sums_one_by_one(
    sets: Sets, columns: list[int], held_out: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    texts = sum(known for _, known, _ in sets)
    vectors = random.normal(size=(texts, 2)).astype(np.float32)
    vectors = QuantizedVectors.of(vectors).numbers()
    index, fused = _index(sets, vectors), random.random(len(columns)).astype(np.float32)
    asked = np.array([[0.6, 0.8]], np.float32)
    judged, withheld = _one(index, columns, held_out), of_clusters(np.array([held_out]))
    found = gather(index, asked, judged, fused, _best(fused, judged.rows, 1), withheld)

    others = [set(ids) for cluster, _, ids in sets if cluster != held_out]
    prior = Counter(passage for ids in others for passage in ids)
    exponents = np.exp(20 * (fused.astype(np.float64) - fused.max(initial=0)))
    weight = dict(zip(columns, exponents / max(exponents.sum(), 1e-9), strict=True))
    support = _handed_on(others, weight)
    rate = _handed_on(others, {passage: given / max(prior[passage], 1) for passage, given in weight.items()})
    # A value as small as the rounding of differences counts as 0 and is not passed on.
    handed = {passage: given / prior[passage] for passage, given in rate.items() if given > RESIDUE}
    further = _handed_on(others, handed)
    if not prior:
        # All passages are in one document that no question is about, so their values are missing.
        of_passages = [values for name, values in vars(found).items() if name != "familiarity"]
        assert np.isnan(np.stack(of_passages)).all()
        return
    for values, expected in (
        (found.prior, prior),
        (found.support, support),
        (found.rate, rate),
        (found.two_hops, further),
    ):
        assert values.tolist() == pytest.approx([expected[passage] for passage in columns], abs=2e-6)

    cosines = iter((vectors @ asked[0]).tolist())
    known = [(next(cosines), cluster, set(ids)) for cluster, text, ids in sets if text]
    known = [each for each in known if each[1] != held_out]
    total = sum(np.exp(20 * cosine) for cosine, _, _ in known)
    familiarity = max((cosine for cosine, _, _ in known), default=np.nan)
    assert found.familiarity.tolist() == pytest.approx([familiarity] * len(columns), abs=1e-6, nan_ok=True)
    for passage, nearest, votes in zip(columns, found.nearest, found.votes, strict=True):
        mine = [cosine for cosine, _, ids in known if passage in ids]
        assert nearest == pytest.approx(max(mine, default=np.nan), abs=1e-6, nan_ok=True)
        assert votes == pytest.approx(sum(np.exp(20 * cosine) for cosine in mine) / (total or 1), abs=1e-5)


def _handed_on(sets: list[set[int]], weights: dict[int, float]) -> dict[int, float]:
    """Return, for each passage, the weights of the other passages of its training questions, summed."""
    total: dict[int, float] = defaultdict(float)
    for ids in sets:
        for passage in ids:
            total[passage] += sum(weights.get(other, 0) for other in ids if other != passage)
    return total


@given(sets=_SETS, asked=st.lists(st.tuples(_COLUMNS, _HELD_OUT), max_size=4))
def test_evidence_of_a_batch_is_that_of_its_questions(sets: Sets, asked: list[tuple[list[int], int]]) -> None:
    index = _index(sets)
    columns = np.array([column for ids, _ in asked for column in ids], np.int64)
    sizes = [len(ids) for ids, _ in asked]
    bounds, held_out = np.cumsum([0, *sizes]), np.array([cluster for _, cluster in asked], np.int64)
    fused = (columns % 4 / 4).astype(np.float32)
    vectors = np.tile(np.array([[0.6, 0.8]], np.float32), (len(asked), 1))

    def evidence(part: slice, questions: slice) -> np.ndarray:
        rows = np.repeat(np.arange(len(sizes)), sizes)[part] - (questions.start or 0)
        withheld = of_clusters(held_out[questions])
        judged = index.of_pairs(rows, columns[part], withheld)
        best = _best(fused[part], rows, len(withheld))
        found = gather(index, vectors[questions], judged, fused[part], best, withheld)
        return np.stack([*vars(found).values(), *co_judged(index, judged, fused[part])])

    whole = evidence(slice(None), slice(None))
    for row, (start, stop) in enumerate(itertools.pairwise(bounds)):
        alone = evidence(slice(start, stop), slice(row, row + 1))
        np.testing.assert_allclose(whole[:, start:stop], alone, atol=1e-6)


def test_unknown_questions_and_passages_of_the_judgements_are_left_out() -> None:
    judgements = pl.DataFrame(
        [("t", "1", 2), ("t", "99", 1), ("other", "1", 1), ("t", "2", 0)],
        schema=dict(JUDGEMENTS.columns),
        orient="row",
    )
    nobody = np.empty(0, np.int64), QuantizedVectors.of(np.empty((0, 2), np.float32))
    one_place = np.zeros((2, 2), np.int64)
    index = build_judgement_index(
        judgements, pl.Series(["1", "2"]), ["t"], np.array([0]), *nobody, *one_place
    )
    assert index.sets.of(0).tolist() == [0]
    assert index.judged.sizes.tolist() == [1, 0]
