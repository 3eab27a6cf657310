"""The generators that learn, over new passages: encoder and maps stay, and only new texts are encoded."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from rulerank.bundle import Bundle, Upkeep
from rulerank.console import progress
from rulerank.errors import BundleError
from rulerank.retrieve.dense import Dense
from rulerank.retrieve.embedded import Adapter, EmbeddedPassages
from rulerank.retrieve.generator import Generator
from rulerank.retrieve.late import Late
from rulerank.retrieve.latent import append_latent
from rulerank.retrieve.matched import LateMaps, Matched
from rulerank.retrieve.tokens import joined
from rulerank.upkeep.texts import Compared

Index = TypeVar("Index", Dense, Late)

SHARD = 512
"""Texts encoded between two steps of the progress bar."""


def trained_generators(source: Bundle, kept: Upkeep, wanted: Compared) -> dict[str, Generator]:
    """Return the generators that learn from judgements over other passages, by name.

    Parameters
    ----------
    source : Bundle
        The ranker.
    kept : Upkeep
        The data it keeps for this purpose.
    wanted : Compared
        The passages, compared with those of the ranker or with none.

    """
    index = source.index
    dense = _embedded(source, kept, wanted.new)
    trained: dict[str, Generator] = {"dense": _base(index.dense, wanted).reindexed(wanted.rows, dense)}
    if index.late is not None:
        late = _matched(source, index.late, kept, wanted.new)
        trained["late"] = _base(index.late, wanted).reindexed(wanted.rows, late)
    return trained


def _base(index: Index, wanted: Compared) -> Index:
    """Return the index that the passages were compared with: all of it, or nothing."""
    return index if wanted.indexed else index.reindexed(np.empty(0, np.int64), index)


def _embedded(source: Bundle, kept: Upkeep, texts: list[str]) -> Dense:
    index, encoder = source.index.dense, source.encoder
    parts = [encoder.encode(part, "passage") for part in progress(_shards(texts), "encoding")]
    embedded = append_latent(np.concatenate(parts), texts, index.latent, source.analyser)
    adapter = Adapter(index.query_map, kept.dense_map)
    return Dense.of(EmbeddedPassages(embedded, adapter, index.latent), np.ones(len(texts), np.bool_))


def _matched(source: Bundle, index: Late, kept: Upkeep, texts: list[str]) -> Late:
    if kept.late_map is None:
        raise BundleError("expected the map of late interaction, found none. Export the ranker again.")
    encoder, maps = source.token_encoder, LateMaps(index.query_map, kept.late_map)
    parts = [
        encoder.tokens(part, "passage").mapped(index.axes) for part in progress(_shards(texts), "tokens")
    ]
    return Late.of(Matched(joined(parts), maps, index.axes), np.ones(len(texts), np.bool_))


def _shards(texts: list[str]) -> list[list[str]]:
    """Return the texts in parts, of which there is at least one."""
    return [texts[start : start + SHARD] for start in range(0, max(len(texts), 1), SHARD)]
