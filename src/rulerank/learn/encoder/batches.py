"""Batches of texts of similar length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from datasets import Dataset
from sentence_transformers.base.sampler import DefaultBatchSampler

NEIGHBOURHOOD = 16
"""How many batches have their texts sorted by length together. This saves padding; the order stays random."""


class LengthSampler(DefaultBatchSampler):
    """Random batches of rows whose first texts are of similar length.

    It is for losses that take no negatives from the batch, since it would make these all alike. The order
    depends only on seed and epoch, so a resumed training continues as it would have without interruption.
    """

    def __init__(self, dataset: Dataset, batch_size: int, drop_last: bool, **options: Any) -> None:
        super().__init__(dataset, batch_size=batch_size, drop_last=drop_last, **options)
        text = next(name for name in dataset.column_names if name != "label")
        self.lengths = np.array([len(each) for each in dataset[text]])

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the rows of one batch after another."""
        generator = np.random.default_rng([self.seed, self.epoch])
        order = generator.permutation(len(self.lengths))
        batches: list[list[int]] = []
        step = self.batch_size * NEIGHBOURHOOD
        for start in range(0, len(order), step):
            near = order[start : start + step]
            near = near[np.argsort(self.lengths[near], kind="stable")]
            batches += [
                near[place : place + self.batch_size].tolist()
                for place in range(0, len(near), self.batch_size)
            ]
        for place in generator.permutation(len(batches)):
            yield batches[place]

    def __len__(self) -> int:
        """Return the number of batches."""
        return -(-len(self.lengths) // self.batch_size)
