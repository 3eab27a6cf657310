from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from rulerank.learn.encoder.batches import NEIGHBOURHOOD, LengthSampler


def _sampler(rows: int, batch_size: int, seed: int = 3, epoch: int = 0) -> LengthSampler:
    lengths = np.random.default_rng(0).integers(1, 200, size=rows).tolist()
    data = Dataset.from_dict({"label": list(range(rows)), "question": ["x" * length for length in lengths]})
    sampler = LengthSampler(data, batch_size=batch_size, drop_last=False, seed=seed)
    sampler.set_epoch(epoch)
    return sampler


@given(st.integers(1, 90), st.integers(1, 7), st.integers(0, 3))
def test_every_row_once_an_epoch_in_as_many_batches_as_said(rows: int, batch_size: int, epoch: int) -> None:
    sampler = _sampler(rows, batch_size, epoch=epoch)
    batches = list(sampler)
    assert sorted(row for batch in batches for row in batch) == list(range(rows))
    assert len(batches) == len(sampler)
    assert max(map(len, batches)) <= batch_size


def test_order_is_another_each_epoch_and_seed_and_the_same_again() -> None:
    first = list(_sampler(50, 4))
    assert list(_sampler(50, 4)) == first
    assert list(_sampler(50, 4, epoch=1)) != first
    assert list(_sampler(50, 4, seed=4)) != first


def test_order_does_not_depend_on_the_epochs_before() -> None:
    sampler = _sampler(50, 4)
    list(sampler)
    sampler.set_epoch(2)
    assert list(sampler) == list(_sampler(50, 4, epoch=2))


@pytest.mark.parametrize("rows", [40, 64])
def test_batch_holds_texts_of_like_length(rows: int) -> None:
    assert rows <= 4 * NEIGHBOURHOOD
    sampler = _sampler(rows, 4)
    ranges = sorted((min(sampler.lengths[batch]), max(sampler.lengths[batch])) for batch in sampler)
    # All rows are in one neighbourhood here, so no two batches overlap.
    assert all(one[1] <= other[0] for one, other in pairwise(ranges))
