"""From questions to their candidates in order, by any model of a bundle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import IntArray
from rulerank.bundle import RANKER, Bundle
from rulerank.features.extract import Batch, extract
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import unseen
from rulerank.ranker.evidence import Evidence
from rulerank.ranker.ranking import Ranking


def described(
    bundle: Bundle,
    ids: Sequence[str],
    texts: Sequence[str],
    *,
    workers: int = 1,
    without: Sequence[IntArray] | None = None,
) -> Iterator[Batch]:
    """Retrieve and describe the candidates of questions.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    ids, texts : sequences of str
        The questions.
    workers : int, optional (default=1)
        Batches described side by side.
    without : sequence of int arrays, optional
        For each question, rows of passages that are to be no candidates.

    """
    queries = bundle.queries(ids, texts)
    return extract(
        bundle.index,
        queries,
        unseen(queries),
        bundle.features,
        bundle.candidates,
        workers,
        first_pass=bundle.first_pass,
        without=without,
    )


def in_order(pairs: Pairs, scores: NDArray[np.floating]) -> IntArray:
    """Order pairs by question, then score from the highest, then passage."""
    return np.lexsort((pairs.columns, -scores, pairs.rows))


def ranking_of(batch: Batch, evidence: Evidence, model: str, as_of: date) -> Ranking:
    """Rank the candidates of one question that have taken effect by a day.

    Parameters
    ----------
    batch : Batch
        The question, described.
    evidence : Evidence
        The passages of the bundle.
    model : str
        One of `Bundle.names`.
    as_of : date
        The day.

    """
    bundle, columns = evidence.bundle, batch.pairs.columns
    scored = bundle.scores(model, batch)
    scores = scored.total
    order = in_order(batch.pairs, scores)
    order = order[evidence.begun(columns[order], as_of)]
    # A question without candidates has no features to say who answers.
    answering = bundle.answering(model, batch.matrix) if len(order) else RANKER
    rows, added, matrix = columns[order], scored.added[order], batch.matrix[order]
    return Ranking(bundle, evidence, as_of, answering, rows, scores[order], added, matrix)
