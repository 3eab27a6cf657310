"""From questions to their ranked candidates, by any model of a bundle."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from math import ceil
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from rulerank.arrays import IntArray
from rulerank.bundle import Bundle
from rulerank.features.extract import Batch, batch_size, candidates, describe
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import nothing_withheld
from rulerank.ranker.evidence import EvidenceSource
from rulerank.ranker.ranking import Ranking
from rulerank.threads import parallel_map

NO_PASSAGES: IntArray = np.empty(0, np.int64)

Result = TypeVar("Result")


def ranked(
    bundle: Bundle,
    ids: Sequence[str],
    texts: Sequence[str],
    evidence: EvidenceSource,
    model: str,
    as_of: date,
    result: Callable[[Ranking], Result],
    workers: int,
) -> Iterator[list[Result]]:
    """Yield a result of the ranking of every question, batch by batch.

    Parameters
    ----------
    bundle : Bundle
        The exported ranker.
    ids, texts : sequences of str
        The questions.
    evidence, model, as_of
        As for `rankings`.
    result : callable
        What to compute from a ranking.
    workers : int
        Batches that are described, ranked and turned into results in parallel.

    """
    size = even_size(len(ids), batch_size(bundle.candidates), workers)
    coming = evidence.not_yet_in_effect(as_of)

    def results(start: int) -> list[Result]:
        part = slice(start, start + size)
        without = [coming] * len(ids[part]) if len(coming) else None
        (batch,) = bundle.described(bundle.queries(ids[part], texts[part]), without=without)
        return [result(ranking) for ranking in rankings(batch, evidence, model, as_of)]

    return parallel_map(results, range(0, len(ids), size), workers)


def even_size(questions: int, largest: int, workers: int) -> int:
    """Return the size of batches, at most `largest`, that shares questions among workers most evenly."""
    turns = ceil(questions / (largest * workers))
    return ceil(questions / (turns * workers)) if questions else 1


def described_with(bundle: Bundle, question: str, given: IntArray, without: IntArray = NO_PASSAGES) -> Batch:
    """Describe the candidates of one question, with the passages of the `given` rows among them.

    Those `without` it count as not in the corpus, unless they are given.
    """
    queries = bundle.queries([""], [question])
    left_out = [np.setdiff1d(without, given)]
    found = candidates(bundle.index, queries, nothing_withheld(queries), bundle.candidates, left_out)
    retrieved = found.retrieved.with_pairs(np.zeros_like(given), given)
    pairs = replace(found, retrieved=retrieved)
    return Batch(pairs, describe(pairs, bundle.features, bundle.first_pass))


def in_order(pairs: Pairs, scores: NDArray[np.floating]) -> IntArray:
    """Order pairs by question, then by score from the highest, then by passage."""
    return np.lexsort((pairs.columns, -scores, pairs.rows))


def rankings(batch: Batch, evidence: EvidenceSource, model: str, as_of: date) -> Iterator[Ranking]:
    """Rank the candidates of each question of a batch.

    Parameters
    ----------
    batch : Batch
        The questions, with their candidates described.
    evidence : EvidenceSource
        The passages of the bundle.
    model : str
        One of `Bundle.names`.
    as_of : date
        The day. The batch was described without the passages that take effect later.

    """
    bundle, columns = evidence.bundle, batch.pairs.columns
    scored = bundle.scores(model, batch)
    scores = scored.total
    order = in_order(batch.pairs, scores)
    for start, stop in pairwise(batch.pairs.starts.tolist()):
        own = order[start:stop]
        found = batch.matrix[start:stop]
        yield Ranking(
            bundle=bundle,
            evidence=evidence,
            as_of=as_of,
            model=model,
            answering=bundle.answering(model, found),
            rows=columns[own],
            scores=scores[own],
            company=scored.company[own],
            found=found,
            places_found=own - start,
        )
