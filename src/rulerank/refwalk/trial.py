"""RefWalk on judged questions: unchanged, with one part changed, and next to other orders of its passages."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from rulerank.bundle import Bundle
from rulerank.evaluate.noise import Noise
from rulerank.graph.communities import Communities, communities
from rulerank.refwalk.ablations import ablations, pools_of, sharing
from rulerank.refwalk.baselines import Baseline, baselines, order_of
from rulerank.refwalk.decomposition import Decompose
from rulerank.refwalk.oracle import given_pool, ideal_run
from rulerank.refwalk.variants import pool_run, tiers_alike, variant_runs
from rulerank.refwalk.walk import Pool, RefWalk

IDEAL, NOISE = "oracle of the pool", "oracle with noise"


@dataclass(eq=False)
class Trial:
    """Collects the pools and runs of every way to rank, question by question.

    Parameters
    ----------
    walk : RefWalk
        A walk over the N passages of the bundle.
    bundle : Bundle
        The exported ranker.
    parts : Decompose
        Splits questions into parts, for the baselines.
    judgements : polars.DataFrame
        The judgements of the questions.
    seed : int
        Seeds every random draw.

    """

    walk: RefWalk
    bundle: Bundle
    parts: Decompose
    judgements: pl.DataFrame
    seed: int
    changed: dict[str, dict[str, Pool]] = field(default_factory=dict, init=False)
    """Pools by the change, then by question."""
    noised: dict[str, Pool] = field(default_factory=dict, init=False)
    pools: dict[str, Pool] = field(default_factory=dict, init=False)
    """The pools of unchanged RefWalk, by question."""
    ordered: dict[str, list[pl.DataFrame]] = field(default_factory=dict, init=False)
    """Rows of the runs of the baselines."""

    @property
    def ids(self) -> pl.Series:
        """The ids of the N passages."""
        return self.bundle.passages["passage_id"]

    @property
    def name(self) -> str:
        """The run of unchanged RefWalk."""
        return f"refwalk {self.walk.settings.fusion}"

    @property
    def alike(self) -> str:
        """The run of RefWalk that treats passages of all tiers alike."""
        return f"{self.name}, tiers alike"

    @property
    def baseline_names(self) -> tuple[str, ...]:
        """The runs of the baselines."""
        return tuple(self.ordered)

    @property
    def changed_names(self) -> tuple[str, ...]:
        """The runs of RefWalk with a part changed."""
        return tuple(self.changed)

    @cached_property
    def communities(self) -> Communities:
        """The communities of the passages."""
        return communities(self.bundle.edges, self.ids, seed=self.seed)

    def ask(self, query_id: str, question: str) -> None:
        """Rank for one question in every way."""
        pools = pools_of(self._walks, question)
        pool = self.pools[query_id] = pools.pop(self.name)
        for name, each in pools.items():
            self.changed.setdefault(name, {})[query_id] = each
        for name, order in self._orders.items():
            frame = order_of(name, query_id, pool, order(question, pool), self.ids)
            self.ordered.setdefault(name, []).append(frame)
        relevant = self._relevant.get(query_id)
        if relevant is not None:
            given = self._noise.around(query_id, relevant)
            self.noised[query_id] = given_pool(self._shared, question, given)

    def runs(self) -> list[pl.DataFrame]:
        """Return the runs of all questions asked: fusions and views, changed walks, baselines, oracles."""
        fusions = variant_runs(self.walk, self.pools, self.ids)
        changed = [pool_run(name, self.walk, pools, self.ids) for name, pools in self.changed.items()]
        others = [pl.concat(frames) for frames in self.ordered.values()]
        ideal = ideal_run(IDEAL, pool_run(IDEAL, self.walk, self.pools, self.ids), self.judgements)
        noise = pool_run(NOISE, tiers_alike(self.walk), self.noised, self.ids)
        return [*fusions, *changed, *others, ideal, noise]

    @cached_property
    def _shared(self) -> RefWalk:
        return sharing(self.walk)

    @cached_property
    def _walks(self) -> dict[str, RefWalk]:
        parts = self.communities
        return {
            self.name: self._shared,
            **ablations(self._shared, self.bundle.edges, self.ids, parts, self.seed),
        }

    @cached_property
    def _orders(self) -> dict[str, Baseline]:
        return baselines(self._shared, self.bundle, self.parts)

    @cached_property
    def _noise(self) -> Noise:
        return Noise.build(self.bundle.edges, self.bundle.passages, self.seed)

    @cached_property
    def _relevant(self) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
        """The rows of each question's relevant passages."""
        rows = pl.DataFrame({"passage_id": self.ids, "row": np.arange(len(self.ids))})
        judged = self.judgements.filter(pl.col("relevance") > 0).join(rows, on="passage_id")
        return {
            query: np.sort(np.array(found, np.int64))
            for query, found in judged.group_by("query_id").agg("row").iter_rows()
        }
