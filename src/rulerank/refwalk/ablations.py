"""RefWalk with one part changed, and pools of several walks that share their scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
import polars as pl

from rulerank.arrays import FloatArray, IntArray
from rulerank.graph.communities import Communities, within
from rulerank.graph.perturb import CHANGES, SHARES, perturb
from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.parts import citation_expansion
from rulerank.refwalk.walk import Pool, RefWalk, scored

POOLS = (10, 20, 50, 100, 200)
"""Passages that the dense search returns."""


def ablations(
    walk: RefWalk, edges: pl.DataFrame, passage_ids: pl.Series, parts: Communities, seed: int
) -> dict[str, RefWalk]:
    """Return versions of RefWalk with one part changed, by the change.

    Parameters
    ----------
    walk : RefWalk
        A walk over N passages.
    edges : polars.DataFrame
        The edges table from which its expansion was built.
    passage_ids : polars.Series
        Ids of the N passages.
    parts : Communities
        Communities of the passages.
    seed : int
        Draws the edges that are dropped or rewired.

    Returns
    -------
    dict of str to RefWalk
        Without the graph; without the anchor; with each other pool size of `POOLS`; with a share of its edges
        dropped or rewired; with only the citations that stay within a community.

    """
    settings = walk.settings
    followed = edges.filter(pl.col("type").is_in(settings.edge_types))

    def along(changed: pl.DataFrame) -> RefWalk:
        return replace(walk, expand=citation_expansion(changed, passage_ids, settings))

    return {
        "without graph": replace(walk, expand=_nowhere),
        "without anchor": replace(walk, anchors=_no_anchor),
        "within communities": along(within(followed, passage_ids, parts)),
        **{
            f"pool {size}": replace(walk, settings=settings.model_copy(update={"pool": size}))
            for size in POOLS
            if size != settings.pool
        },
        **{
            f"{share:.0%} of edges {change}": along(perturb(followed, passage_ids, change, share, seed))
            for change in CHANGES
            for share in SHARES
        },
    }


def sharing(walk: RefWalk) -> RefWalk:
    """Return a walk that remembers its last anchors and searches, for walks that repeat the same question."""
    return replace(walk, anchors=lru_cache(8)(walk.anchors), search=lru_cache(8)(walk.search))


def pools_of(walks: Mapping[str, RefWalk], question: str) -> dict[str, Pool]:
    """Return the pool of each walk for one question, all scored with one set of scores.

    The passages of all pools are scored together, once under each view. So two walks differ only by what they
    gather and fuse. The scorer is that of the first walk.
    """
    gathered = {name: walk.gather(question) for name, walk in walks.items()}
    together = np.unique(np.concatenate([each.passages for each in gathered.values()]))
    scorer = next(iter(walks.values())).scorer

    @lru_cache
    def scores(text: str) -> FloatArray:
        return scorer(text, together)

    def shared(text: str, passages: IntArray) -> FloatArray:
        return scores(text)[np.searchsorted(together, passages)]

    return {name: scored(each, shared) for name, each in gathered.items()}


def _no_anchor(question: str) -> Anchor:  # noqa: ARG001
    return Anchor()


def _nowhere(seeds: IntArray, scores: FloatArray) -> tuple[IntArray, FloatArray]:
    return seeds, scores
