from __future__ import annotations

import numpy as np
import pytest

from rulerank.arrays import normalise_rows
from rulerank.learn.latent import fit_latent

# Two subjects that share no term; "berth" and "mooring" never occur together, but both occur with "quay".
PASSAGES = [
    ["quay", "berth"],
    ["quay", "berth"],
    ["quay", "mooring"],
    ["quay", "mooring"],
    ["levy", "due"],
    ["levy", "due"],
    ["levy", "invoice"],
]


def test_terms_of_one_company_lie_close_though_they_never_meet() -> None:
    space = fit_latent(PASSAGES, 2, seed=7)
    assert space is not None
    berth, mooring, due = space.embed([["berth"], ["mooring"], ["due"]])
    assert berth @ mooring == pytest.approx(1, abs=1e-4)
    assert berth @ due == pytest.approx(0, abs=1e-4)


def test_terms_of_a_single_passage_are_left_out() -> None:
    space = fit_latent(PASSAGES, 2, seed=7)
    assert space is not None
    assert sorted(space.vocabulary) == ["berth", "due", "levy", "mooring", "quay"]


def test_a_space_of_full_width_keeps_the_cosines_of_tf_idf() -> None:
    space = fit_latent(PASSAGES, 99, seed=7)
    assert space is not None
    # 7 passages share berth 2, due 2, levy 3, mooring 2, quay 4: smoothed idf, ln(8 / (1 + df)) + 1.
    idf = {term: np.log(8 / (1 + count)) + 1 for term, count in (("berth", 2), ("mooring", 2), ("quay", 4))}
    rows = np.array([[idf["berth"], 0, idf["quay"]], [0, idf["mooring"], idf["quay"]]], np.float32)
    expected = normalise_rows(rows) @ normalise_rows(rows).T
    found = space.embed([PASSAGES[0], PASSAGES[2]])
    assert found @ found.T == pytest.approx(expected, abs=1e-5)


def test_the_same_passages_and_seed_give_the_same_axes() -> None:
    first, again = (fit_latent(PASSAGES, 3, seed=7) for _ in range(2))
    assert first is not None
    assert again is not None
    assert first.axes.tobytes() == again.axes.tobytes()


@pytest.mark.parametrize(
    ("passages", "dimension"), [(PASSAGES, 0), ([], 4), ([["fee"], ["tug"]], 4), ([[], []], 4)]
)
def test_there_is_no_space_where_none_is_asked_for_or_nothing_is_shared(
    passages: list[list[str]], dimension: int
) -> None:
    assert fit_latent(passages, dimension, seed=7) is None
