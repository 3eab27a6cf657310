"""Print how long the closure of ten seeds takes, on the pipeline's graph and on generated ones."""

from __future__ import annotations

import time

import numpy as np
from rich.console import Console
from rich.table import Table

from rulerank.console import reported
from rulerank.graph.adjacency import CITING, adjacency
from rulerank.graph.closure import Closure
from rulerank.pipeline.paths import EDGE_TABLE, TABLES
from rulerank.ragged import Ragged, collected
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
    for name, links in _graphs().items():
        seconds, reached = _measure(links)
        table.add_row(
            name,
            f"{len(links):,}",
            f"{len(links.items):,}",
            f"{np.median(reached):,.0f}",
            f"{1000 * np.median(seconds):.2f}",
            f"{1000 * np.percentile(seconds, 95):.2f}",
        )
    Console(highlight=False, width=WIDTH).print(table)


def _measure(links: Ragged) -> tuple[list[float], list[int]]:
    """Time walks from seeds that have an edge; return their seconds and the number of passages reached."""
    closure = Closure(links)
    generator = np.random.default_rng(SEED)
    joined = np.flatnonzero(links.sizes)
    seconds, reached = [], []
    for _ in range(REPEATS):
        seeds = generator.choice(joined, min(SEEDS, len(joined)), replace=False)
        scores = generator.random(len(seeds), np.float32)
        start = time.perf_counter()
        walked = closure.from_seeds(seeds, scores, DEPTH, DECAY)
        seconds.append(time.perf_counter() - start)
        reached.append(len(walked.passages))
    return seconds, reached


def _graphs() -> dict[str, Ragged]:
    """Return the graphs by name, with the generated ones last."""
    graphs: dict[str, Ragged] = {}
    if EDGE_TABLE.is_file():
        table = EDGES.read(EDGE_TABLE)
        ids = PASSAGES.read(TABLES / "passages.parquet")["passage_id"]
        for name, types in (("citations", CITING), ("citations and parents", (*CITING, "PARENT_OF"))):
            graphs[f"own, {name}, both ways"] = adjacency(table, ids, types, "both")
    generator = np.random.default_rng(SEED)
    for nodes, edges in GENERATED:
        sources, targets = generator.integers(0, nodes, (2, edges))
        graphs[f"generated, {nodes:,}, outwards"] = collected(sources, targets, nodes)
        both = np.append(sources, targets), np.append(targets, sources)
        graphs[f"generated, {nodes:,}, both ways"] = collected(*both, nodes)
    return {name: links for name, links in graphs.items() if len(links.items)}


if __name__ == "__main__":
    with reported():
        main()
