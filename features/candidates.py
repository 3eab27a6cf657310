"""Stage candidates: the union of the runs for every training and validation question."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import polars as pl
from rich.progress import track

from rulerank.console import reported
from rulerank.evaluate.measures import candidate_recall
from rulerank.features.extract import batches
from rulerank.files import replacing, write_json
from rulerank.learn.folds import FULL
from rulerank.learn.workspace import Workspace
from rulerank.retrieve.queries import Queries
from rulerank.retrieve.search import Retrieved, retrieve
from rulerank.settings import load_settings
from rulerank.timing import timed


def main() -> None:
    """Write `outputs/candidates.parquet`."""
    settings = load_settings()
    with timed("candidates") as timing:
        workspace = Workspace()
        index = workspace.search_index(settings, workspace.dense_index(FULL))
        walk = workspace.closure(settings)
        passage_ids = workspace.passages["passage_id"]
        parts = []
        for asked in track(list(workspace.served()), "retrieving", disable=not sys.stderr.isatty()):
            search = replace(index, dense=asked.dense)
            for _, batch in batches(asked.queries, len(passage_ids)):
                parts.append(_pairs(retrieve(search, batch, settings.candidates, walk), batch, passage_ids))
        candidates = pl.concat(parts)
        with replacing(Path("outputs/candidates.parquet")) as temporary:
            candidates.write_parquet(temporary)
        timing["pairs"] = candidates.height
    write_json(Path("outputs/figures/candidates.json"), _figures(workspace, candidates))


def _pairs(retrieved: Retrieved, queries: Queries, passage_ids: pl.Series) -> pl.DataFrame:
    """Return the candidates, with their rank by the fusion of the runs."""
    ids = pl.Series(queries.ids, dtype=pl.String)
    fused = pl.Series(retrieved.scores["rrf"][retrieved.rows, retrieved.columns])
    pairs = pl.DataFrame({"query_id": ids[retrieved.rows], "passage_id": passage_ids[retrieved.columns]})
    ranks = fused.rank("ordinal", descending=True)
    return pairs.with_columns(rank=ranks).with_columns(pl.col("rank").rank("ordinal").over("query_id"))


def _figures(workspace: Workspace, candidates: pl.DataFrame) -> dict[str, dict[str, float]]:
    figures = {}
    for split in ("train", "validation"):
        queries = workspace.asked(split)["query_id"]
        if queries.len():
            judged = workspace.judgements.filter(pl.col("query_id").is_in(queries.implode()))
            found = candidates.filter(pl.col("query_id").is_in(queries.implode()))
            figures[split] = {
                "recall": candidate_recall(judged, found),
                "mean_candidates": found.height / queries.len(),
            }
    return figures


if __name__ == "__main__":
    with reported():
        main()
