"""Cost of training and extraction on seeded copies of the data."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ParamSpec

import numpy as np
import polars as pl

from rulerank.bundle import RANKER, load_bundle
from rulerank.features.extract import extract
from rulerank.features.withheld import nothing_withheld
from rulerank.learn.ranker.groups import Groups, to_groups
from rulerank.learn.ranker.lambdamart import train_ranker
from rulerank.learn.ranker.recipe import training_rows
from rulerank.settings import Ranker
from rulerank.tables import FEATURES

NOISE = 1e-3
"""Standard deviation of the noise on a copied value, in standard deviations of its feature."""

P = ParamSpec("P")


def copies(groups: Groups, times: int, seed: int) -> Groups:
    """Return copies of the groups, with a little noise added to every value.

    Exact copies would fall into the same bins and give the trees no more to examine. The first copy is noisy
    too; otherwise features with few values would have many bins at every size but the first.

    Parameters
    ----------
    groups : Groups
        The groups.
    times : int
        Number of copies.
    seed : int
        Seed of the noise. Fewer copies are the first of more.

    """
    generator = np.random.default_rng(seed)
    pairs, features = groups.matrix.shape
    matrix = np.empty((times * pairs, features), np.float32)
    widths = np.array([NOISE * _deviation(column) for column in groups.matrix.T], np.float32)
    for start in range(0, times * pairs, pairs):
        copy = matrix[start : start + pairs]
        generator.standard_normal(dtype=np.float32, out=copy)
        copy *= widths
        copy += groups.matrix
    return Groups(matrix, np.tile(groups.labels, times), np.tile(groups.sizes, times))


def with_peak(
    measured: Callable[P, Mapping[str, float]], *args: P.args, **kwargs: P.kwargs
) -> dict[str, float]:
    """Call a function and return its figures with `peak_memory_mib`, the peak memory of this process.

    Parameters
    ----------
    measured : callable
        Returns figures by name.
    *args, **kwargs
        Its arguments.

    """
    figures = measured(*args, **kwargs)
    return {**figures, "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def write_training(features: Path, folds: pl.DataFrame, path: Path) -> dict[str, float]:
    """Write the training groups of a features table as arrays, which are fastest to read."""
    table = FEATURES.scan(features)
    names = FEATURES.further(table.collect_schema().names())
    groups = to_groups(training_rows(table, folds), names)
    np.savez(path, matrix=groups.matrix, labels=groups.labels, sizes=groups.sizes)
    return {"pairs": float(len(groups.matrix))}


def training_cost(
    path: Path, times: int, settings: Ranker, *, rounds: int, seed: int, threads: int
) -> dict[str, float]:
    """Train on copies of the groups that `write_training` wrote; return pairs and seconds."""
    with np.load(path) as arrays:
        groups = copies(Groups(arrays["matrix"], arrays["labels"], arrays["sizes"]), times, seed)
    names = [str(column) for column in range(groups.matrix.shape[1])]
    start = time.perf_counter()
    train_ranker(groups, names, settings, seed=seed, threads=threads, rounds=rounds)
    return {"pairs": float(len(groups.matrix)), "seconds": time.perf_counter() - start}


def extraction_cost(bundle: Path, questions: pl.DataFrame, times: int, *, threads: int) -> dict[str, float]:
    """Retrieve and describe copies of questions, starting from their vectors; return pairs and seconds."""
    loaded = load_bundle(bundle, threads)
    asked = loaded.queries(questions["query_id"].to_list(), questions["text"].to_list())
    queries = asked.take(np.tile(np.arange(len(asked)), times))
    features = loaded.models[RANKER].features.of_pass(1)
    # What the index computes on first use is done once, whatever the number of questions.
    list(
        extract(
            loaded.index,
            queries.slice(0, 1),
            nothing_withheld(queries).part(0, 1),
            features,
            loaded.candidates,
        )
    )
    start = time.perf_counter()
    described = extract(
        loaded.index, queries, nothing_withheld(queries), features, loaded.candidates, workers=threads
    )
    # The stage extract keeps every matrix, too.
    matrices = [batch.matrix for batch in described]
    return {"pairs": float(sum(map(len, matrices))), "seconds": time.perf_counter() - start}


def _deviation(column: np.ndarray) -> float:
    stated = column[~np.isnan(column)]
    return float(stated.std()) if stated.size else 0.0
