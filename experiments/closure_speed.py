"""Print how long the closure of ten seeds takes, on the pipeline's graph and on generated ones."""

from __future__ import annotations

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from rulerank.console import reported
from rulerank.graph.closure import Closure
from rulerank.graph.matrix import CITING, Matrix, adjacency, from_ends
from rulerank.pipeline.paths import EDGE_TABLE, TABLES
from rulerank.tables import EDGES, PASSAGES

SEEDS, DEPTH, DECAY = 10, 3, 0.7
REPEATS = 200
SEED = 7
WIDTH = 110
GENERATED = ((14_000, 70_000), (1_000_000, 5_000_000))
"""Numbers of nodes and edges; the ends of an edge are drawn uniformly."""


def main() -> None:
    """Print one row per graph and direction: the median and the 95th percentile of `REPEATS` walks."""
    table = Table(title=f"Closure of {SEEDS} seeds at depth {DEPTH}", pad_edge=False)
    table.add_column("graph", no_wrap=True)
    for name in ("nodes", "edges", "reached", "median, ms", "95 %, ms"):
        table.add_column(name, justify="right")
    for name, matrix in _graphs().items():
        seconds, reached = _measure(matrix)
        table.add_row(
            name,
            f"{matrix.shape[0]:,}",
            f"{matrix.nnz:,}",
            f"{np.median(reached):,.0f}",
            f"{1000 * np.median(seconds):.2f}",
            f"{1000 * np.percentile(seconds, 95):.2f}",
        )
    Console(highlight=False, width=WIDTH).print(table)


def _measure(matrix: Matrix) -> tuple[list[float], list[int]]:
    """Time walks from seeds that have an edge; return their seconds and the number of passages reached."""
    closure = Closure(matrix)
    generator = np.random.default_rng(SEED)
    joined = np.flatnonzero(np.diff(matrix.indptr))
    seconds, reached = [], []
    for _ in range(REPEATS):
        seeds = generator.choice(joined, min(SEEDS, len(joined)), replace=False)
        scores = generator.random(len(seeds), np.float32)
        start = time.perf_counter()
        walked = closure.from_seeds(seeds, scores, DEPTH, DECAY)
        seconds.append(time.perf_counter() - start)
        reached.append(len(walked.passages))
    return seconds, reached


def _graphs() -> dict[str, Matrix]:
    """Return the graphs by name, with the generated ones last."""
    graphs: dict[str, Matrix] = {}
    if EDGE_TABLE.is_file():
        table = EDGES.read(EDGE_TABLE)
        ids = PASSAGES.read(TABLES / "passages.parquet")["passage_id"]
        for name, types in (("citations", CITING), ("citations and parents", (*CITING, "PARENT_OF"))):
            graphs[f"own, {name}, both ways"] = adjacency(table, ids, types, "both")
    generator = np.random.default_rng(SEED)
    for nodes, edges in GENERATED:
        sources, targets = generator.integers(0, nodes, (2, edges))
        graphs[f"generated, {nodes:,}, outwards"] = from_ends(sources, targets, nodes)
        both = np.append(sources, targets), np.append(targets, sources)
        graphs[f"generated, {nodes:,}, both ways"] = from_ends(*both, nodes)
    return {name: matrix for name, matrix in graphs.items() if matrix.nnz}


if __name__ == "__main__":
    with reported():
        main()
