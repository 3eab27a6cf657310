"""From a batch of questions to the hits of each run, and the pairs worth ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

import numpy as np
import polars as pl

from rulerank.arrays import NO_CELLS, FloatArray, IntArray, starts_of
from rulerank.retrieve.citing import Citing
from rulerank.retrieve.conforming import require_hits
from rulerank.retrieve.fusion import Run, reciprocal_ranks, weighted_sum
from rulerank.retrieve.generator import BUILT_IN, Generator
from rulerank.retrieve.hits import Found, Hits, best_hits, union
from rulerank.retrieve.queries import Queries
from rulerank.settings import Candidates
from rulerank.tables import RUNS

CLOSURE, RRF, HYBRID = "closure", "rrf", "hybrid"
"""Hits along citations; the rank fusion of the runs before it; BM25 and dense by a weighted sum."""


@dataclass(frozen=True, eq=False)
class Retrieved:
    """The hits of the runs for a batch of questions.

    Parameters
    ----------
    found : mapping of str to Hits
        The first passages of each run.
    rows, columns : int arrays of shape (pairs,)
        Question and passage of each candidate: the union of the runs, question by question.
    width : int
        Number of passages in the corpus, N.
    rrf_k : int
        The constant of the reciprocal rank fusion.

    """

    found: Found
    rows: IntArray
    columns: IntArray
    width: int
    rrf_k: int

    @cached_property
    def rrf(self) -> FloatArray:
        """The candidates' scores by reciprocal rank fusion of all runs but `closure`, shape (pairs,)."""
        ranks = [hits.ranks_of(self.rows, self.columns, self.width) for hits in self._fused]
        return reciprocal_ranks(ranks, k=self.rrf_k)

    def with_pairs(self, rows: IntArray, columns: IntArray) -> Retrieved:
        """Return a copy with further pairs among its candidates, which no run need have found."""
        keys = np.union1d(self.rows * self.width + self.columns, rows * self.width + columns)
        return replace(self, rows=keys // self.width, columns=keys % self.width)

    def before(self, run: str) -> Found:
        """Return the hits of the runs before one, from which that run continued."""
        return dict(takewhile(lambda item: item[0] != run, self.found.items()))

    def fused(self, depth: int) -> Hits:
        """Return the run `rrf`: the first `depth` hits of the fused runs."""
        among = self.rrf > 0
        return best_hits(self.rows[among], self.columns[among], self.rrf[among], depth)

    @property
    def _fused(self) -> list[Hits]:
        return [hits for run, hits in self.found.items() if run != CLOSURE]


def retrieve(
    generators: Sequence[Generator],
    queries: Queries,
    settings: Candidates,
    absent: IntArray = NO_CELLS,
) -> Retrieved:
    """Run generators one after the other and merge their first passages.

    Parameters
    ----------
    generators : sequence of Generator
        The generators of `settings.runs`, in this order.
    queries : Queries
        The questions.
    settings : Candidates
        The section `candidates` of params.yaml.
    absent : int array, optional
        Passages, each as question * N + passage, that no generator finds, nor continues from.

    Raises
    ------
    InputError
        A plugged-in generator returned something other than the hits that `Generator.search` promises.

    """
    found: dict[str, Hits] = {}
    width = len(generators[0])
    for generator in generators:
        if isinstance(generator, Citing) and len(absent):
            generator = replace(generator, absent=absent)
        found[generator.name] = _search(generator, queries, settings.depth, found, absent)
    rows, columns = union(list(found.values()), width)
    return Retrieved(found, rows, columns, width, settings.rrf_k)


def _search(generator: Generator, queries: Queries, depth: int, found: Found, absent: IntArray) -> Hits:
    """Return the first hits that are not absent, looking further down until there are enough."""
    if not len(absent):
        return _hits(generator, queries, depth, found)
    wanted, width = 2 * depth, len(generator)
    while True:
        hits = _hits(generator, queries, wanted, found)
        left = hits.without(absent, width).first(depth)
        few = np.bincount(left.rows, minlength=len(queries)) < depth
        more = np.bincount(hits.rows, minlength=len(queries)) >= wanted
        if not (few & more).any():
            return left
        wanted *= 2


def _hits(generator: Generator, queries: Queries, depth: int, found: Found) -> Hits:
    """Return what a generator finds, checked if it is not one of the package's own."""
    hits = generator.search(queries, depth, found)
    if generator.name not in BUILT_IN:
        require_hits(hits, generator, questions=len(queries), depth=depth)
    return hits


def hybrid(
    retrieved: Retrieved, scores: Mapping[str, FloatArray], dense_weight: float, depth: int, questions: int
) -> Hits:
    """Return the run `hybrid`: the candidates by a weighted sum of their dense and BM25 scores.

    Parameters
    ----------
    retrieved : Retrieved
        The candidates.
    scores : mapping of str to array of shape (pairs,)
        Their exact scores by `dense` and by `bm25`; each is min-max scaled within its question.
    dense_weight : float
        Share of the dense score, from 0 to 1; BM25 has the rest.
    depth : int
        Maximum number of hits per question.
    questions : int
        Number of questions in the batch.

    """
    starts = starts_of(retrieved.rows, questions)
    cells = retrieved.rows, np.arange(len(retrieved.rows)) - starts[retrieved.rows]
    runs = []
    for name in ("dense", "bm25"):
        padded = np.full((questions, int(np.diff(starts).max(initial=0))), np.nan, np.float32)
        padded[cells] = scores[name]
        runs.append(Run(padded))
    summed = weighted_sum(runs, [dense_weight, 1 - dense_weight])[cells]
    return best_hits(retrieved.rows, retrieved.columns, summed, depth)


def tabulate(runs: Mapping[str, Hits], query_ids: Sequence[str], passage_ids: pl.Series) -> pl.DataFrame:
    """Return the runs table of a batch."""
    ids = pl.Series(query_ids, dtype=pl.String)
    frames = [
        pl.DataFrame(
            {
                "run": pl.repeat(name, len(hits.rows), eager=True),
                "query_id": ids[hits.rows],
                "passage_id": passage_ids[hits.columns],
                "rank": hits.ranks.astype(np.int32),
                "score": hits.scores.astype(np.float64),
            },
            schema=dict(RUNS.columns),
        )
        for name, hits in runs.items()
    ]
    return pl.concat([RUNS.empty(), *frames])
