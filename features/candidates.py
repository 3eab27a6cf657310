"""Stage candidates: the union of the runs for every training and validation question."""

from __future__ import annotations

import polars as pl

from rulerank.console import progress
from rulerank.evaluate.measures import candidate_recall
from rulerank.features.extract import batches, candidates, named_pairs
from rulerank.features.pairs import Pairs
from rulerank.pipeline.paths import CANDIDATE_TABLE, DENSE, ENCODERS, INDEX, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.pipeline.workspace import Workspace
from rulerank.settings import Settings
from rulerank.tables import CANDIDATES


@stage(
    "candidates",
    reads=[TABLES, INDEX, ENCODERS, DENSE],
    writes=[CANDIDATE_TABLE],
    params=["candidates", "extract", "text", "threads"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/candidates.parquet`."""
    workspace = Workspace(settings)
    parts = [CANDIDATES.empty()]
    for served in progress(workspace.served(), "retrieving"):
        for start, batch in batches(served.queries, settings.candidates):
            withheld = served.withheld.part(start, start + len(batch))
            parts.append(_ranked(candidates(served.index, batch, withheld, settings.candidates)))
    table = pl.concat(parts)
    CANDIDATES.write(table, CANDIDATE_TABLE)
    return Outcome(_figures(workspace, table), timing={"pairs": table.height})


def _ranked(pairs: Pairs) -> pl.DataFrame:
    """Return the candidates with their rank by the fusion of the runs."""
    rank = pl.Series("rank", pairs.rank(pairs.retrieved.rrf)).cast(CANDIDATES.columns["rank"])
    return named_pairs(pairs).with_columns(rank)


def _figures(workspace: Workspace, table: pl.DataFrame) -> dict[str, dict[str, float]]:
    figures = {}
    for split in ("train", "validation"):
        queries = workspace.asked(split)["query_id"]
        if queries.len():
            judged = workspace.judgements_of(queries)
            found = table.filter(pl.col("query_id").is_in(queries.implode()))
            figures[split] = {
                "recall": candidate_recall(judged, found),
                "mean_candidates": found.height / queries.len(),
            }
    return figures


if __name__ == "__main__":
    main.run()
