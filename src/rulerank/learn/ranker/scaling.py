"""What training and extraction cost as the data grow: seeded copies, each size in a process of its own."""

from __future__ import annotations

import multiprocessing
import resource
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import ParamSpec

import numpy as np
import polars as pl

from rulerank.bundle import RANKER, load_bundle
from rulerank.features.extract import extract
from rulerank.features.withheld import unseen
from rulerank.learn.ranker.groups import Groups, to_groups
from rulerank.learn.ranker.lambdamart import train_ranker
from rulerank.learn.ranker.recipe import training_rows
from rulerank.settings import Ranker
from rulerank.tables import FEATURES

NOISE = 1e-3
"""Standard deviation of the noise on a copied value, in standard deviations of its feature."""

P = ParamSpec("P")


def copies(groups: Groups, times: int, seed: int) -> Groups:
    """Return the groups over and over, with a little noise on every value.

    Exact copies would fall into the same bins, and give the trees nothing more to look at. The first copy is
    noisy too: otherwise features of few values would have many bins in every size but the first.

    Parameters
    ----------
    groups : Groups
        The groups.
    times : int
        How often.
    seed : int
        Of the noise; the copies of a lesser number are the first ones of a greater.

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


def fresh(measured: Callable[P, Mapping[str, float]], *args: P.args, **kwargs: P.kwargs) -> dict[str, float]:
    """Call a function in a new process and return what it measured, and its `peak_memory_mib`.

    Parameters
    ----------
    measured : callable
        A function of a module; it is imported anew by the process.
    *args, **kwargs
        Its arguments.

    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(partial(_with_peak, measured, *args, **kwargs)).result()


def write_training(features: Path, folds: pl.DataFrame, path: Path) -> dict[str, float]:
    """Write the training groups of a features table as arrays, the quickest to be read again."""
    table = FEATURES.scan(features)
    names = table.collect_schema().names()[len(FEATURES.columns) :]
    groups = to_groups(training_rows(table, folds), names)
    np.savez(path, matrix=groups.matrix, labels=groups.labels, sizes=groups.sizes)
    return {"pairs": float(len(groups.matrix))}


def training_cost(
    path: Path, times: int, settings: Ranker, *, rounds: int, seed: int, threads: int
) -> dict[str, float]:
    """Train so many rounds on copies of the groups of `write_training`; return pairs and seconds."""
    with np.load(path) as arrays:
        groups = copies(Groups(arrays["matrix"], arrays["labels"], arrays["sizes"]), times, seed)
    names = [str(column) for column in range(groups.matrix.shape[1])]
    start = time.perf_counter()
    train_ranker(groups, names, settings, seed=seed, threads=threads, rounds=rounds)
    return {"pairs": float(len(groups.matrix)), "seconds": time.perf_counter() - start}


def extraction_cost(bundle: Path, questions: pl.DataFrame, times: int, *, threads: int) -> dict[str, float]:
    """Retrieve and describe questions over and over, from their vectors on; return pairs and seconds."""
    loaded = load_bundle(bundle, threads)
    asked = loaded.queries(questions["query_id"].to_list(), questions["text"].to_list())
    queries = asked.take(np.tile(np.arange(len(asked)), times))
    features = loaded.models[RANKER].features.of_pass(1)
    # What the index computes on first use is done once, whatever the number of questions.
    list(extract(loaded.index, queries.slice(0, 1), unseen(queries).part(0, 1), features, loaded.candidates))
    start = time.perf_counter()
    described = extract(loaded.index, queries, unseen(queries), features, loaded.candidates, workers=threads)
    # The stage extract keeps every matrix, too.
    matrices = [batch.matrix for batch in described]
    return {"pairs": float(sum(map(len, matrices))), "seconds": time.perf_counter() - start}


def _with_peak(
    measured: Callable[P, Mapping[str, float]], *args: P.args, **kwargs: P.kwargs
) -> dict[str, float]:
    figures = measured(*args, **kwargs)
    return {**figures, "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def _deviation(column: np.ndarray) -> float:
    stated = column[~np.isnan(column)]
    return float(stated.std()) if stated.size else 0.0
