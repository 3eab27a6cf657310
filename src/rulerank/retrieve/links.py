"""What links add to a finished run: Retrieve+Links and structure-aware reranking (SearchFireSafety)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rulerank.arrays import IntArray, begins, numbered
from rulerank.ragged import Ragged
from rulerank.retrieve.hits import Hits, lookup


def with_links(hits: Hits, links: Ragged, depth: int) -> Hits:
    """Insert after each hit the passages that it links to: Retrieve+Links.

    Parameters
    ----------
    hits : Hits
        A run.
    links : Ragged
        The links of each of N passages.
    depth : int
        Maximum number of hits per question.

    Returns
    -------
    Hits
        Every passage at its first place; scored by 1 / rank.

    """
    owner, linked, _ = links.take(hits.columns)
    rows = np.concatenate([hits.rows, hits.rows[owner]])
    columns = np.concatenate([hits.columns, linked.astype(np.int64)])
    # A hit precedes its links, and these precede the next hit.
    place = np.concatenate([hits.ranks * 2, hits.ranks[owner] * 2 + 1])
    order = np.lexsort((np.arange(len(rows)), place, rows))
    keys = rows[order] * len(links) + columns[order]
    by_key = np.argsort(keys, kind="stable")
    first = order[np.sort(by_key[begins(keys[by_key])])]
    found = Hits(rows[first], columns[first], np.ones(len(first), np.float32)).first(depth)
    return Hits(found.rows, found.columns, (1 / found.ranks).astype(np.float32))


@dataclass(frozen=True)
class StructureAware:
    """Structure-aware reranking: the best hits of a run vote for the other hits that they link to.

    b(d) = sum over voters v that link to d of s(v) / (damp(out(v)) damp(in(d)))
    s'(d) = s(d) + beta b(d) (1 - s(d))

    with damp(n) = ln(n + 1), or 1 if n is 1; out and in count links. The defaults are the published ones.

    Parameters
    ----------
    voters : int, optional (default=15)
        Number of first passages that vote.
    frozen : int, optional (default=5)
        Number of first passages that keep their places.
    pool : int, optional (default=100)
        Number of first passages that are reranked; no other enters.
    beta : float, optional (default=0.3)
        Weight of the votes.

    """

    voters: int = 15
    frozen: int = 5
    pool: int = 100
    beta: float = 0.3

    def __call__(self, hits: Hits, links: Ragged) -> Hits:
        """Return the first `pool` hits of each question, reranked.

        Parameters
        ----------
        hits : Hits
            A run whose scores are cosines; one below 0 counts as 0.
        links : Ragged
            The links of each of N passages, each once and none to itself.

        """
        hits = hits.first(self.pool)
        width = len(links)
        scores = np.maximum(hits.scores.astype(np.float64), 0)
        votes = np.flatnonzero(hits.ranks <= self.voters)
        owner, linked, _ = links.take(hits.columns[votes])
        voter = votes[owner]
        into = np.bincount(links.items, minlength=width)
        weight = scores[voter] / (_damped(links.sizes[hits.columns[voter]]) * _damped(into[linked]))
        keys, place = numbered(hits.rows[voter] * width + linked)
        cast = np.bincount(place, weight, len(keys))
        bonus = lookup(keys, cast, hits.rows * width + hits.columns, missing=0)
        raised = scores + self.beta * bonus * (1 - scores)
        order = np.lexsort((hits.ranks, -raised, np.minimum(hits.ranks, self.frozen + 1), hits.rows))
        return Hits(hits.rows[order], hits.columns[order], raised[order].astype(np.float32))


def _damped(counts: IntArray) -> IntArray:
    return np.where(counts > 1, np.log(np.maximum(counts, 1) + 1), 1)
