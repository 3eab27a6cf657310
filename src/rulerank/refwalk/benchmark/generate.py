"""A benchmark over a corpus: evidence, wording, gates, and two axes that stay independent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.stats import rankdata

from rulerank.arrays import DoubleArray
from rulerank.graph.adjacency import CITING, adjacency, parents
from rulerank.refwalk.benchmark.gates import fault, overlap
from rulerank.refwalk.benchmark.levels import level_of
from rulerank.refwalk.benchmark.relations import ReferenceSet, hops_between, reference_sets
from rulerank.refwalk.benchmark.wording import SHARES, Namer, worded
from rulerank.text import normalise

SHORTEST_RULE = 60
"""The shortest passage, in characters, that can be asked about."""
BINS = 20
"""Bins of lexical overlap, of equal width; each number of hops fills them in equal proportions."""
_ROUNDS = 1000


Rewrite = Callable[[str, Sequence[str]], str]
"""From a question and the rules it rests on to the same question in other words."""


@dataclass(frozen=True)
class Item:
    """A question of the benchmark.

    Parameters
    ----------
    text : str
        The question.
    evidence : ReferenceSet
        What it rests on.
    level : str
        L1 to L4.
    overlap : float
        The share of its terms that are in its rules.
    hops : int
        The hops between its rules, as measured on the graph.

    """

    text: str
    evidence: ReferenceSet
    level: str
    overlap: float
    hops: int


@dataclass(frozen=True)
class Benchmark:
    """The generated benchmark.

    Parameters
    ----------
    items : tuple of Item
        The benchmark.
    passed : tuple of Item
        Everything that passed the gates; the items were drawn from it.
    refused : mapping of str to int
        The number of questions that failed each gate.

    """

    items: tuple[Item, ...]
    passed: tuple[Item, ...]
    refused: Mapping[str, int]


def generate(
    passages: pl.DataFrame,
    documents: pl.DataFrame,
    edges: pl.DataFrame,
    count: int,
    seed: int,
    rewrite: Rewrite | None = None,
) -> Benchmark:
    """Generate questions over a corpus.

    The values of `SHARES` alternate, whatever the relation. Questions that pass the gates are sorted into
    bins by overlap. Questions of each number of hops fill the bins in the same proportions. So how many words
    a question shares with its rules says nothing about how far apart the rules are.

    Parameters
    ----------
    passages, documents, edges : polars.DataFrame
        The three tables.
    count : int
        Reference sets to draw for each relation.
    seed : int
        Draws them and their words.
    rewrite : Rewrite, optional
        Rewords each question before the gates.

    """
    generator = np.random.default_rng(seed)
    ids, texts = passages["passage_id"], passages["text"]
    cites = adjacency(edges, ids, CITING)
    usable = (texts.str.strip_chars().str.len_chars() >= SHORTEST_RULE).to_numpy()
    drawn = reference_sets(cites, usable, count, generator)
    namer = Namer.build(passages, documents, parents(edges, ids).tolist())
    known = {normalise(title) for title in documents["title"] if title}
    of_document = passages["document_id"]
    passed: dict[str, Item] = {}
    refused: Counter[str] = Counter()
    for sets in drawn.values():
        for place, found in enumerate(sets):
            rules = [texts[row] for row in found.passages]
            question = worded(found, SHARES[place % len(SHARES)], namer, texts, generator)
            question = rewrite(question, rules) if rewrite else question
            stopped = "asked before" if question in passed else fault(question, rules)
            if stopped:
                refused[stopped] += 1
                continue
            homes = [of_document[row] for row in found.passages]
            hardness = level_of(rules, homes, len(found.passages), known)
            hops = hops_between(cites, found.passages)
            passed[question] = Item(question, found, hardness, overlap(question, rules), hops)
    candidates = tuple(passed.values())
    return Benchmark(balanced(candidates, generator), candidates, dict(refused))


def balanced(candidates: Sequence[Item], generator: np.random.Generator) -> tuple[Item, ...]:
    """Draw as many items per number of hops as fill the bins of overlap in the same proportions for each.

    In each bin, the proportion is the smallest share that any number of hops has there.
    """
    apart = sorted({item.hops for item in candidates})
    if not apart:
        return ()
    rows = np.array([apart.index(item.hops) for item in candidates])
    bins = np.minimum([int(item.overlap * BINS) for item in candidates], BINS - 1)
    counts = np.zeros((len(apart), BINS))
    np.add.at(counts, (rows, bins), 1)
    common = (counts / counts.sum(axis=1, keepdims=True)).min(axis=0)
    if not common.any():
        return ()
    filled = common > 0
    sizes = (counts[:, filled] / common[filled]).min(axis=1)
    wanted = np.floor(np.outer(sizes, common) + 1e-9).astype(np.int64)
    taken = []
    for place in generator.permutation(len(candidates)).tolist():
        cell = rows[place], bins[place]
        if wanted[cell]:
            wanted[cell] -= 1
            taken.append(place)
    return tuple(candidates[place] for place in sorted(taken))


@dataclass(frozen=True)
class Coupling:
    """Spearman's rank correlation of overlap and hops, with its 95 % bootstrap interval."""

    items: int
    rho: float
    low: float
    high: float


def coupling(items: Sequence[Item], seed: int) -> Coupling:
    """Measure how strongly the two axes of a benchmark are correlated; NaN if one of them does not vary."""
    overlaps = np.array([item.overlap for item in items])
    hops = np.array([item.hops for item in items])
    if len(set(overlaps)) < 2 or len(set(hops)) < 2:
        return Coupling(len(items), np.nan, np.nan, np.nan)
    drawn = np.random.default_rng(seed).integers(len(items), size=(_ROUNDS, len(items)))
    rhos = _rho(overlaps[drawn], hops[drawn])
    low, high = np.nanquantile(rhos, [0.025, 0.975])
    return Coupling(len(items), float(_rho(overlaps[None], hops[None])[0]), float(low), float(high))


def _rho(first: DoubleArray, second: DoubleArray) -> DoubleArray:
    """Return Spearman's rank correlation of each row, NaN if one side does not vary."""
    left, right = (rankdata(side, axis=1) for side in (first, second))
    left, right = (side - side.mean(axis=1, keepdims=True) for side in (left, right))
    spread = np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    rho: DoubleArray = np.divide(
        (left * right).sum(axis=1), spread, out=np.full(len(spread), np.nan), where=spread > 0
    )
    return rho
