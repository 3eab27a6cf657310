"""Personalised PageRank over passages and defined terms."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from rulerank.arrays import DoubleArray, FloatArray, IntArray
from rulerank.graph.adjacency import CITING, ends_of
from rulerank.tables import TERM_NODE
from rulerank.text import normalise

DAMPING = 0.5
"""Share of a walk that follows an edge; the rest starts again (HippoRAG 2, section 3.3)."""
PASSAGE_WEIGHT = 0.05
"""Weight of a start at a passage relative to one at a term (HippoRAG 2, section 3.3)."""
_ROUNDS, _TOLERANCE = 100, 1e-9
_LONGEST = 10
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, eq=False)
class TermGraph:
    """N passages connected by citations, and to the terms that they define or use; edges lead both ways.

    Parameters
    ----------
    moves : csr_array of shape (nodes, nodes)
        By column, the share of a node that moves to each other node. Passages are the first N nodes.
    terms : dict of str to int
        The node of each term, by its words.
    rarity : array of shape (nodes,)
        1 / the number of passages that a term connects (HippoRAG's node specificity).

    """

    moves: csr_array[np.float64]
    terms: dict[str, int]
    rarity: DoubleArray

    @classmethod
    def build(cls, edges: pl.DataFrame, passage_ids: pl.Series) -> TermGraph:
        """Connect the passages by the edges table: citations, definitions and uses of terms."""
        types = [*CITING, "DEFINES", "USES_TERM"]
        kept = edges.filter(pl.col("type").is_in(types))
        names = kept.filter(pl.col("target_id").str.starts_with(TERM_NODE))["target_id"].unique(
            maintain_order=True
        )
        nodes = pl.concat([passage_ids, names])
        source, target = ends_of(edges, nodes, types)
        places = np.append(source, target), np.append(target, source)
        links = csr_array((np.ones(2 * len(source)), places), shape=(len(nodes), len(nodes)))
        links.sum_duplicates()
        links.data[:] = 1
        degree = np.diff(links.indptr)
        share = np.divide(1.0, degree, out=np.zeros(len(nodes)), where=degree > 0)
        terms = {
            _words(name.removeprefix(TERM_NODE)): len(passage_ids) + row for row, name in enumerate(names)
        }
        return cls(csr_array(links.multiply(share[None, :])), terms, share)

    def terms_of(self, question: str) -> list[int]:
        """Return the nodes of the terms in a question, each once, in their order."""
        words = _words(question).split()
        runs = (
            " ".join(words[start : start + length])
            for start in range(len(words))
            for length in range(1, _LONGEST + 1)
        )
        return list(dict.fromkeys(self.terms[run] for run in runs if run in self.terms))

    def rank(self, question: str, passages: IntArray, scores: FloatArray) -> FloatArray:
        """Return the share of each passage in walks that start at the passages and at the question's terms.

        Parameters
        ----------
        question : str
            Walks start at its terms, each weighted by its rarity.
        passages : int array of shape (pool,)
            Walks start at these passages, too.
        scores : array of shape (pool,)
            The weights of these starts, once scaled to 0 to 1 and multiplied by `PASSAGE_WEIGHT`.

        """
        start = np.zeros(self.moves.shape[0])
        low, span = scores.min(initial=np.inf), np.ptp(scores) if len(scores) else 0.0
        start[passages] = PASSAGE_WEIGHT * ((scores - low) / span if span > 0 else np.ones(len(scores)))
        terms = self.terms_of(question)
        start[terms] += self.rarity[terms]
        return self._walk(start)[passages].astype(np.float32)

    def _walk(self, start: DoubleArray) -> DoubleArray:
        """Return the shares by power iteration; the share of a node without edges starts again."""
        if not start.sum():
            return start
        start = start / start.sum()
        shares = start
        for _ in range(_ROUNDS):
            before = shares
            followed = DAMPING * (self.moves @ before)
            shares = followed + (1 - followed.sum()) * start
            if np.abs(shares - before).sum() < _TOLERANCE:
                break
        return shares


def _words(text: str) -> str:
    return " ".join(_WORD.findall(normalise(text)))
