"""Candidates found by citations, not by words: what the best candidates cite, or are cited by."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from rulerank.arrays import NO_CELLS, BoolArray, FloatArray, IntArray, load_arrays, save_arrays
from rulerank.files import read_json, write_json
from rulerank.graph.adjacency import adjacency
from rulerank.graph.closure import Closure, Reached
from rulerank.ragged import ragged_from
from rulerank.retrieve.fusion import reciprocal_ranks
from rulerank.retrieve.generator import Material
from rulerank.retrieve.hits import Found, Hits, among, best_hits, lookup, union
from rulerank.retrieve.queries import Queries
from rulerank.settings import Candidates, Expansion

SETTINGS = "settings.json"


@dataclass(frozen=True, eq=False)
class Citing:
    """The walk along citations, in both directions, from the first ranks of the runs before it.

    A passage scores the maximum of seed score x decay^hops over the seeds that reach it. This is the
    neighbour score of RefWalk, extended to more than one hop. Only passages that no run has found are hits.

    Parameters
    ----------
    graph : Closure
        The citations of N passages.
    has_text : boolean array of shape (N,)
        Which passages can be found; the walk leads through the others.
    settings : Expansion
        How many of the best candidates are seeds, the hops, the decay, and the hits per question.
    rrf_k : int
        The constant of the reciprocal rank fusion that selects the best candidates.
    absent : int array, optional
        Passages, each as question * N + passage, that the walk does not lead over.

    """

    name: ClassVar[str] = "closure"
    floor: ClassVar[float] = -np.inf

    graph: Closure
    has_text: BoolArray
    settings: Expansion
    rrf_k: int
    absent: IntArray = field(default_factory=lambda: NO_CELLS)

    @classmethod
    def build(cls, material: Material, settings: Candidates) -> Self:
        """Index the citations of the material."""
        walk = settings.closure
        ids = material.passages["passage_id"]
        graph = Closure(adjacency(material.edges, ids, walk.edge_types, "both"))
        return cls(graph, material.has_text, walk, settings.rrf_k)

    def __len__(self) -> int:
        return len(self.has_text)

    def search(self, queries: Queries, depth: int, found: Found) -> Hits:  # noqa: ARG002
        """Return the first passages that the best candidates lead to and that no run has found."""
        reached = self._reached(found)
        limit = min(depth, self.settings.found)
        return best_hits(reached.queries, reached.passages, reached.score, limit)

    def score(self, queries: Queries, rows: IntArray, columns: IntArray, found: Found) -> FloatArray:  # noqa: ARG002
        """Return the scores of given pairs; the floor if no candidate leads to a passage not found yet."""
        reached, width = self._reached(found), len(self.has_text)
        keys = reached.queries * width + reached.passages
        return lookup(keys, reached.score, rows * width + columns, missing=self.floor)

    def _reached(self, found: Found) -> Reached:
        """Return what the best candidates lead to, without the passages found already."""
        width = len(self.has_text)
        rows, columns = union(list(found.values()), width)
        ranks = [hits.ranks_of(rows, columns, width) for hits in found.values()]
        seeds = best_hits(rows, columns, reciprocal_ranks(ranks, k=self.rrf_k), self.settings.seeds)
        depth, decay = self.settings.depth, self.settings.decay
        reached = self.graph.from_pairs(seeds.rows, seeds.columns, seeds.scores, depth, decay, self.absent)
        known = among(rows * width + columns, reached.queries * width + reached.passages)
        return reached.where(self.has_text[reached.passages] & ~known)

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        lists = self.graph.links.arrays("citations")
        save_arrays(folder, {**lists, "has_text": self.has_text})
        write_json(folder / SETTINGS, {"closure": self.settings.model_dump(), "rrf_k": self.rrf_k})

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read what `save` wrote."""
        arrays, said = load_arrays(folder), read_json(folder / SETTINGS)
        graph = Closure(ragged_from(arrays, "citations"))
        expansion = Expansion.model_validate(said["closure"])
        return cls(graph, arrays["has_text"].astype(bool), expansion, said["rrf_k"])
