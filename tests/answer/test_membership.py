from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.answer.membership import NAMES, best_set, best_sets, membership

CHANCES = st.lists(st.floats(0.01, 0.99), min_size=1, max_size=6)


def _expected(chances: list[float], kept: set[int], beta: float) -> float:
    """Return E[F_beta] by going through every set of relevant passages."""
    total = 0.0
    for draw in product((0, 1), repeat=len(chances)):
        weight = np.prod([p if drawn else 1 - p for p, drawn in zip(chances, draw, strict=True)])
        hits = sum(draw[place] for place in kept)
        total += weight * (1 + beta**2) * hits / (beta**2 * sum(draw) + len(kept))
    return float(total)


@given(CHANCES, st.sampled_from([0.5, 1.0, 2.0]))
def test_no_other_set_is_expected_to_be_better(chances: list[float], beta: float) -> None:
    kept = set(np.flatnonzero(best_set(np.array(chances), beta)).tolist())
    others = (
        set(each) for size in range(1, len(chances) + 1) for each in combinations(range(len(chances)), size)
    )
    best = max(_expected(chances, other, beta) for other in others)
    assert _expected(chances, kept, beta) == pytest.approx(best, abs=1e-9)


def test_more_weight_of_recall_keeps_more() -> None:
    chances = np.array([0.9, 0.4, 0.3, 0.1])
    assert [int(best_set(chances, beta).sum()) for beta in (0.5, 1.5, 6.0)] == [1, 3, 4]


@given(st.lists(st.lists(st.floats(0, 1), max_size=6), max_size=8), st.sampled_from([0.5, 1.0, 2.0]))
def test_lists_together_keep_what_each_keeps_alone(lists: list[list[float]], beta: float) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rulerank.answer.membership.AT_ONCE", 2)
        together = best_sets([np.array(each) for each in lists], beta)
    alone = [best_set(np.array(each), beta) for each in lists]
    assert [kept.tolist() for kept in together] == [kept.tolist() for kept in alone]


def test_columns_of_a_list_by_hand() -> None:
    cites = np.zeros((2, 2), np.float32)
    cites[0, 1] = 1
    described = membership(np.array([0.0, -1.0]), cites)
    second = dict(zip(NAMES, described[1], strict=True))
    chance = 1 / (1 + np.e)
    assert second["log_rank"] == pytest.approx(np.log(2))
    assert second["behind_first"] == -1
    assert second["expected"] == pytest.approx(np.log(0.5 + chance))
    assert second["ahead"] == second["cited"] == second["cited_by_first"] == 0.5
    assert second["citing"] == second["first"] == 0
    assert described[0][NAMES.index("citing")] == pytest.approx(chance)
    assert described[0][NAMES.index("before_next")] == 1


def test_empty_list_has_no_rows() -> None:
    assert membership(np.empty(0), np.empty((0, 0), np.float32)).shape == (0, len(NAMES))
