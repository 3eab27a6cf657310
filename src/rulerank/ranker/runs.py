"""The runs of many questions, from every generator, every fusion and every model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rulerank.bundle import FIRST_PASS, Bundle
from rulerank.features.extract import Batch, named_pairs
from rulerank.features.pairs import Pairs
from rulerank.ranker.order import in_order
from rulerank.retrieve.hits import Hits
from rulerank.retrieve.search import HYBRID, RRF, hybrid, tabulate
from rulerank.tables import RUNS

OF_FEATURES = {"semantic": "semantic_score", FIRST_PASS: "first_score"}
"""Runs in the order of one feature: the dense side with late interaction, and the first pass."""


def runs_of(
    bundle: Bundle, queries: pl.DataFrame, workers: int, dense_weights: Sequence[float]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Rank the candidates of many questions; see `Ranker.runs`."""
    ids, settings = bundle.passages["passage_id"], bundle.candidates
    runs, candidates = [RUNS.empty()], [RUNS.empty().select("query_id", "passage_id")]
    asked = bundle.queries(queries["query_id"].to_list(), queries["text"].to_list())
    for batch in bundle.described(asked, workers):
        pairs = batch.pairs
        weights = {HYBRID: settings.dense_weight} | {f"{HYBRID}_{each:g}": each for each in dense_weights}
        fused = {RRF: pairs.retrieved.fused(settings.depth)} | {
            name: hybrid(pairs.retrieved, pairs.run_scores, weight, settings.depth, len(pairs.queries))
            for name, weight in weights.items()
        }
        learned = {name: _run(pairs, scores, settings.depth) for name, scores in _scores(bundle, batch)}
        found = {**pairs.retrieved.found, **fused, **learned}
        runs.append(tabulate(found, pairs.queries.ids, ids))
        candidates.append(named_pairs(pairs))
    return pl.concat(runs), pl.concat(candidates)


def _scores(bundle: Bundle, batch: Batch) -> Iterator[tuple[str, NDArray[np.floating]]]:
    """Yield the scores that order the candidates after the generators: single features, then every model."""
    for run, feature in OF_FEATURES.items():
        if feature in bundle.features.names:
            (column,) = bundle.features.places([feature])
            yield run, batch.matrix[:, column]
    yield from bundle.all_scores(batch).items()


def _run(pairs: Pairs, scores: NDArray[np.floating], depth: int) -> Hits:
    """Return the candidates in the order of some scores, the first `depth` of each question."""
    order = in_order(pairs, scores)
    return Hits(pairs.rows[order], pairs.columns[order], scores[order]).first(depth)
