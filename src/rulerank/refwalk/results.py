"""The result of RefWalk for one question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from rulerank.passages import RankedPassage
from rulerank.ranker.evidence import EvidenceSource
from rulerank.refwalk.anchor import Anchor
from rulerank.refwalk.walk import Pool, RefWalk


@dataclass(frozen=True)
class RefWalkResult:
    """The passages that RefWalk ranks first, and why they are there.

    Parameters
    ----------
    anchor : Anchor
        The anchor of the question.
    passages : tuple of RankedPassage
        Best first. The score is the fused one, which has no calibrated probability.
    view_ranks : tuple of mappings of str to int
        The rank of each of these passages in the pool under each view.
    by_citation : tuple of bool
        Whether each of these passages is in the pool through citations alone.

    """

    anchor: Anchor
    passages: tuple[RankedPassage, ...]
    view_ranks: tuple[Mapping[str, int], ...]
    by_citation: tuple[bool, ...]


def result_of(evidence: EvidenceSource, walk: RefWalk, pool: Pool, k: int, as_of: date) -> RefWalkResult:
    """Return the first `k` passages of a pool that have taken effect by a day.

    Parameters
    ----------
    evidence : EvidenceSource
        The passages of the exported ranker that RefWalk runs over.
    walk : RefWalk
        Fuses the views.
    pool : Pool
        The pool of one question.
    k : int
        Passages to return, at most.
    as_of : date
        The day.

    """
    order, scores = walk.order(pool)
    best = order[evidence.in_effect(pool.passages[order], as_of)][:k]
    passages = evidence.passages(pool.passages[best], as_of)
    return RefWalkResult(
        anchor=pool.anchor,
        passages=tuple(
            RankedPassage(rank=rank, score=float(scores[place]), **vars(passage))
            for rank, (place, passage) in enumerate(zip(best, passages, strict=True), start=1)
        ),
        view_ranks=tuple(
            {view: int(run.ranks[0, place]) for view, run in pool.runs.items()} for place in best
        ),
        by_citation=tuple(bool(pool.by_citation[place]) for place in best),
    )
