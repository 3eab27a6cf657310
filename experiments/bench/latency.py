"""One question at a time: the whole answer, and its steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from experiments.bench.ours import describe, find, load, prepare, score
from experiments.bench.rows import Row, call_rows, timed

REASONS = (0, 3)


def whole(bundle: Path, questions: Sequence[str], threads: int, repeats: int) -> list[Row]:
    """Time `Ranker.rank` without and with reasons."""
    ranker = load(bundle, threads)
    rank = {f"Ranker.rank, reasons {reasons}": partial(ranker.rank, reasons=reasons) for reasons in REASONS}
    for call in rank.values():
        call(questions[0])
    seconds = [{name: timed(call, questions)[1] for name, call in rank.items()} for _ in range(repeats)]
    return call_rows(seconds, threads)


def steps(bundle: Path, questions: Sequence[str], threads: int, repeats: int) -> list[Row]:
    """Time the steps of an answer without reasons: encoder, candidates, features, trees."""
    ranker = load(bundle, threads)
    seconds = []
    for asked in [questions[:1], *[questions] * repeats]:
        queries, encoder = timed(lambda text: prepare(ranker, [text]), asked)
        _, candidates = timed(partial(find, ranker), queries)
        batches, described = timed(partial(describe, ranker), queries)
        _, trees = timed(partial(score, ranker), batches)
        seconds.append(
            {
                "encoder and analysis": encoder,
                "without the encoder": described + trees,
                "of it candidates": candidates,
                "of it features, the first pass included": described - candidates,
                "of it the ranker's trees": trees,
            }
        )
    return call_rows(seconds[1:], threads)
