"""The measurements of a bundle over a generated corpus; each function is called in its own process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

import numpy as np
import polars as pl
import psutil

from experiments.bench.ours import anew, load
from experiments.bench.rows import Row, call_rows, timed
from experiments.million.corpus import QUERY_TABLE, QUERY_VECTORS
from rulerank.arrays import DoubleArray, FloatArray
from rulerank.bundle import RANKER, Bundle
from rulerank.features.extract import Batch, describe
from rulerank.features.pairs import Pairs
from rulerank.features.withheld import nothing_withheld
from rulerank.retrieve.generator import Generator
from rulerank.retrieve.hits import Hits
from rulerank.retrieve.queries import Queries, prepare_queries
from rulerank.retrieve.search import retrieve

ASKED = 100
"""Questions per measurement."""

DENSE, PASS = "search, dense", "one pass over the dense matrix in memory"
FEATURES, TREES = "features of both passes", "trees of the ranker"
BEYOND = "everything beyond the generators"
LOAD, RESIDENT = "load", f"resident memory after {ASKED} questions, RSS"


def loading(bundle: Path, corpus: Path, threads: int) -> dict[str, float]:
    """Return the seconds of loading, and the memory in use in MiB."""
    texts = pl.read_parquet(corpus / QUERY_TABLE)["text"].head(ASKED)
    start = perf_counter()
    ranker = load(bundle, threads)
    seconds = perf_counter() - start
    loaded = psutil.Process().memory_info()
    for text in texts:
        ranker.rank(text, reasons=0)
    asked = psutil.Process().memory_full_info()
    return {
        LOAD: seconds,
        "resident memory once loaded, RSS": loaded.rss / 2**20,
        RESIDENT: asked.rss / 2**20,
        "of it this process's own, USS": asked.uss / 2**20,
        "of it not mapped from files": (asked.rss - asked.shared) / 2**20,
    }


def generators(bundle: Path, corpus: Path, threads: int, repeats: int) -> list[Row]:
    """Time the search of each generator for single questions, and one pass over the dense matrix."""
    opened = load(bundle, threads).bundle
    questions = _questions(corpus)
    matrix = opened.index.dense.vectors.numbers()
    _searched(opened, matrix, questions[:1])
    return call_rows([_searched(opened, matrix, questions) for _ in range(repeats)], threads)


def beyond(bundle: Path, corpus: Path, threads: int, repeats: int) -> list[Row]:
    """Time what follows the generators: features of both passes, the first pass itself, and the trees."""
    opened = load(bundle, threads).bundle
    questions = _questions(corpus)
    _ranked(opened, questions[:1])
    return call_rows([_ranked(opened, questions) for _ in range(repeats)], threads)


def _questions(corpus: Path) -> list[Queries]:
    """Return the questions one by one, analysed and with their generated embeddings."""
    table = pl.read_parquet(corpus / QUERY_TABLE).head(ASKED)
    vectors = np.load(corpus / QUERY_VECTORS)[:ASKED]
    prepared = prepare_queries(table["query_id"].to_list(), table["text"].to_list(), vectors)
    return [prepared.slice(row, row + 1) for row in range(len(prepared))]


def _searched(bundle: Bundle, matrix: FloatArray, questions: Sequence[Queries]) -> dict[str, DoubleArray]:
    """Return the seconds of each generator's searches and of the passes, by name."""
    dense, depth = bundle.index.dense, bundle.candidates.depth
    questions = list(map(anew, questions))
    found: list[dict[str, Hits]] = [{} for _ in questions]
    seconds = {}
    for generator in bundle.index.finding(bundle.candidates):

        def search(row: int, generator: Generator = generator) -> Hits:
            return generator.search(questions[row], depth, found[row])

        hits, seconds[f"search, {generator.name}"] = timed(search, range(len(questions)))
        for before, each in zip(found, hits, strict=True):
            before[generator.name] = each
    asked = [dense.adapted(each.embeddings)[0] for each in questions]
    _, seconds[PASS] = timed(lambda vector: matrix @ vector, asked)
    return seconds


def _ranked(bundle: Bundle, questions: Sequence[Queries]) -> dict[str, DoubleArray]:
    """Return the seconds of features and trees for each question, whose candidates are found beforehand."""
    finding = bundle.index.finding(bundle.candidates)
    found = [(each, retrieve(finding, each, bundle.candidates)) for each in map(anew, questions)]
    pairs = [Pairs(bundle.index, each, retrieved, nothing_withheld(each)) for each, retrieved in found]
    matrices, features = timed(lambda each: describe(each, bundle.features, bundle.first_pass), pairs)
    _, trees = timed(lambda batch: bundle.scores(RANKER, batch), list(map(Batch, pairs, matrices)))
    return {BEYOND: features + trees, f"of it {FEATURES}": features, f"of it {TREES}": trees}
