"""What a walk found, as it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rulerank.bundle import Bundle
from rulerank.retrieve.refwalk.walk import Pool, Walk


@dataclass(frozen=True)
class WalkedPassage:
    """One passage of a walk.

    Parameters
    ----------
    rank : int
        From 1.
    passage_id, document, section, text : str
        The passage; `document` is the title of the document it stands in.
    score : float
        The fused score; it compares within one question only.
    ranks : mapping of str to int
        Its rank in the pool under each view.
    cited : bool
        Whether it is in the pool by citations alone.
    voided_by : tuple of str
        Passage ids of what is in force of those that void it.

    """

    rank: int
    passage_id: str
    document: str
    section: str
    text: str
    score: float
    ranks: Mapping[str, int]
    cited: bool
    voided_by: tuple[str, ...]


def walked(bundle: Bundle, walk: Walk, pool: Pool, k: int) -> list[WalkedPassage]:
    """Return the first `k` passages of a pool, best first."""
    order, scores = walk.order(pool)
    titles = dict(bundle.documents.select("document_id", "title").iter_rows())
    passages = bundle.passages[pool.passages[order[:k]]]
    return [
        WalkedPassage(
            rank=rank,
            passage_id=passage["passage_id"],
            document=titles.get(passage["document_id"], passage["document_id"]),
            section=passage["section"],
            text=passage["text"],
            score=float(scores[place]),
            ranks={view: int(run.ranks[0, place]) for view, run in pool.runs.items()},
            cited=bool(pool.reached[place]),
            voided_by=bundle.index.voided_by(int(pool.passages[place])),
        )
        for rank, (place, passage) in enumerate(
            zip(order, passages.iter_rows(named=True), strict=False), start=1
        )
    ]
