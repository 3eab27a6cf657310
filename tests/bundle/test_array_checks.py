from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulerank.bundle.array_checks import require_closed
from rulerank.bundle.damage import MismatchError
from rulerank.ragged import Ragged, collected

SIZE = 7
# An upper node has the higher number, so no link closes a loop.
NODES = st.integers(0, SIZE - 1)
LINKS = st.sets(st.tuples(NODES, NODES).filter(lambda ends: ends[0] < ends[1]))


def _lists(matrix: np.ndarray) -> Ragged:
    return collected(*matrix.nonzero(), SIZE)


@given(LINKS, st.data())
def test_only_the_whole_closure_is_closed(links: set[tuple[int, int]], data: st.DataObject) -> None:
    above = np.zeros((SIZE, SIZE), bool)
    for lower, upper in links:
        above[lower, upper] = True
    every = above
    for _ in range(SIZE):
        every = every | above @ every
    require_closed(_lists(above), _lists(every))
    wrong = every.copy()
    lower, upper = data.draw(st.tuples(NODES, NODES))
    wrong[lower, upper] ^= True
    with pytest.raises(MismatchError):
        require_closed(_lists(above), _lists(wrong))


def test_a_closure_is_checked_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulerank.bundle.array_checks.BLOCK", 2)
    chain, every = np.eye(SIZE, k=1, dtype=bool), np.triu(np.ones((SIZE, SIZE), bool), 1)
    require_closed(_lists(chain), _lists(every))
    every[1, SIZE - 1] = False
    with pytest.raises(MismatchError):
        require_closed(_lists(chain), _lists(every))
