"""What a question can rest on: one rule, or several that citations connect in one of three ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal, get_args

import numpy as np
from scipy.sparse.csgraph import shortest_path

from rulerank.arrays import BoolArray
from rulerank.ragged import Ragged, collected
from rulerank.sparse import as_matrix

Relation = Literal["R1", "R2", "R3", "R4"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)


@dataclass(frozen=True)
class ReferenceSet:
    """The passages that a question rests on, before it is worded.

    Parameters
    ----------
    relation : {"R1", "R2", "R3", "R4"}
        R1: one rule. R2: a rule and one that it cites. R3: a chain, where the second rule cites a third that
        the first does not cite. R4: two rules that do not cite each other; citations, in either direction,
        connect each to one rule outside the set.
    passages : tuple of int
        Rows, in the order of the relation.
    hops : int
        The longest of the shortest paths between two of them along citations, in either direction: 0, 1, 2
        and 2.

    """

    relation: Relation
    passages: tuple[int, ...]
    hops: int


def reference_sets(
    cites: Ragged, usable: BoolArray, count: int, generator: np.random.Generator
) -> dict[Relation, list[ReferenceSet]]:
    """Draw reference sets of every relation.

    Parameters
    ----------
    cites : Ragged
        For each of N passages, those that it cites.
    usable : array of shape (N,)
        Which passages can be asked about.
    count : int
        Maximum number of sets per relation.
    generator : numpy Generator
        Draws them.

    """
    source, target = cites.owners, cites.items
    joins = collected(np.append(source, target), np.append(target, source), len(usable))
    rows = generator.permutation(np.flatnonzero(usable))
    found: dict[Relation, list[ReferenceSet]] = {}
    for relation in RELATIONS:
        sets = (each for row in rows.tolist() for each in _of(relation, row, cites, joins, usable, generator))
        distinct: dict[tuple[int, ...], ReferenceSet] = {}
        for each in sets:
            distinct.setdefault(tuple(sorted(each.passages)), each)
            if len(distinct) == count:
                break
        found[relation] = list(distinct.values())
    return found


def _of(
    relation: Relation,
    row: int,
    cites: Ragged,
    joins: Ragged,
    usable: BoolArray,
    generator: np.random.Generator,
) -> Iterator[ReferenceSet]:
    """Yield at most one reference set that starts at a passage, so that none dominates the benchmark."""
    cited = [other for other in _next(cites, row, generator) if usable[other]]
    if relation == "R1":
        yield ReferenceSet("R1", (row,), 0)
    elif relation == "R2":
        yield from (ReferenceSet("R2", (row, other), 1) for other in cited[:1])
    elif relation == "R3":
        chains = (
            (row, middle, last)
            for middle in cited
            for last in _next(cites, middle, generator)
            if usable[last] and last != row and not _joined(cites, row, last)
        )
        yield from (ReferenceSet("R3", chain, 2) for chain in islice(chains, 1))
    else:
        around = [other for other in _next(joins, row, generator) if usable[other]]
        pairs = (
            (first, second)
            for place, first in enumerate(around)
            for second in around[place + 1 :]
            if not _joined(cites, first, second)
        )
        yield from (ReferenceSet("R4", pair, 2) for pair in islice(pairs, 1))


def hops_between(cites: Ragged, passages: tuple[int, ...]) -> int:
    """Return the longest of the shortest paths between two of some passages; 0 for one passage.

    Raises
    ------
    ValueError
        No path leads from one of them to another.

    """
    if len(passages) < 2:
        return 0
    matrix = as_matrix(cites, len(cites))
    ways = shortest_path(matrix, directed=False, unweighted=True, indices=list(passages))
    longest = ways[:, list(passages)].max()
    if not np.isfinite(longest):
        raise ValueError(f"expected passages that citations join, found {passages}")
    return int(longest)


def _next(cites: Ragged, row: int, generator: np.random.Generator) -> list[int]:
    return [int(each) for each in generator.permutation(cites.of(row)) if each != row]


def _joined(cites: Ragged, first: int, second: int) -> bool:
    return second in cites.of(first) or first in cites.of(second)
