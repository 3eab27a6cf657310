"""How well runs rank: Recall, MAP, nDCG and full coverage at 10, per query, on average and by depth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import ir_measures
import polars as pl
from ir_measures import AP, R, nDCG

CUTOFF = 10

_MEASURES = {
    "Recall@10": R @ CUTOFF,
    "MAP@10": AP @ CUTOFF,
    "nDCG@10": nDCG @ CUTOFF,
}

MEASURES = (*_MEASURES, "FullCov@10")
"""Names of the measures, in the order of every table."""

MEASURE = "nDCG@10"
"""The measure by which runs are compared where one must decide."""


def per_query(judgements: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    """Score every run on every judged query.

    A passage of relevance 1 or more is relevant. A query with at least one such passage is judged.

    - `Recall@10`: share of the relevant passages among the top 10.
    - `MAP@10`: average precision of the top 10, divided by the number of *all* relevant passages
      (trec_eval's `map_cut`), so it stays below 1 if there are more than 10.
    - `nDCG@10`: linear gains (the relevance itself), discount log2(rank + 1), ideal from all
      judgements whether or not the run found them (trec_eval's `ndcg_cut`; Järvelin and Kekäläinen,
      TOIS 2002).
    - `FullCov@10`: 1 if every relevant passage is in the top 10, else 0.

    Parameters
    ----------
    judgements : the JUDGEMENTS table
    runs : the RUNS table
        Only `rank` determines the order; scores, and ties among them, play no part.

    Returns
    -------
    frame with columns run, query_id and one Float64 column per measure
        One row per run and judged query, in the order of first appearance. A run scores 0 on a judged
        query that it misses. Queries of a run that are not judged are left out.

    """
    relevant = _relevant(judgements)
    queries = relevant.select("query_id").unique(maintain_order=True)
    top = runs.filter(pl.col("rank") <= CUTOFF).join(queries, on="query_id", how="semi")
    names = runs.select("run").unique(maintain_order=True)
    coverage = _recall(relevant, top).select(
        "run", "query_id", (pl.col("recall") == 1).cast(pl.Float64).alias("FullCov@10")
    )
    return (
        names.join(queries, how="cross")
        .join(
            _trec_measures(judgements.join(queries, on="query_id", how="semi"), top),
            on=("run", "query_id"),
            how="left",
            maintain_order="left",
        )
        .join(coverage, on=("run", "query_id"), how="left", maintain_order="left")
        .select("run", "query_id", pl.col(MEASURES).fill_null(0.0))
    )


def average(per_query: pl.DataFrame, by: Sequence[str] = ()) -> pl.DataFrame:
    """Average the measures over the queries of each run.

    Parameters
    ----------
    per_query : frame of `per_query`
        With any further columns that the caller has joined, such as split or level.
    by : sequence of str, optional
        Those columns; each combination of their values has its own row.

    Returns
    -------
    frame with columns run, `by`, queries (their number) and the mean of every measure

    """
    return per_query.group_by("run", *by, maintain_order=True).agg(
        pl.len().alias("queries"), pl.col(MEASURES).mean()
    )


def candidate_recall(judgements: pl.DataFrame, candidates: pl.DataFrame) -> float:
    """Return the mean, over judged queries, of the share of relevant passages among the candidates.

    Parameters
    ----------
    judgements : the JUDGEMENTS table
    candidates : frame with columns query_id and passage_id
        Order and repeats do not matter.

    Returns
    -------
    float
        The Recall that no ranking of these candidates can exceed; NaN if there is no judged query.

    """
    relevant = _relevant(judgements)
    if relevant.is_empty():
        return float("nan")
    found = relevant.join(candidates, on=("query_id", "passage_id"), how="semi")
    return float((1 / found["relevant"]).sum() / relevant["query_id"].n_unique())


def by_depth(judgements: pl.DataFrame, runs: pl.DataFrame, depths: Sequence[int]) -> pl.DataFrame:
    """Average Recall and MAP of each run at each depth, over all judged queries.

    Both are defined as in `per_query`, but cut at other depths than 10.

    Parameters
    ----------
    judgements : the JUDGEMENTS table
    runs : the RUNS table
    depths : sequence of int
        Ranks at which to cut.

    Returns
    -------
    frame with columns run, depth (Int32), recall and map

    """
    relevant = _relevant(judgements)
    found = (
        runs.join(relevant, on=("query_id", "passage_id"))
        .sort("run", "query_id", "rank")
        .with_columns(precision=pl.int_range(1, pl.len() + 1).over("run", "query_id") / pl.col("rank"))
    )
    above, queries = pl.col("rank") <= pl.col("depth"), relevant["query_id"].n_unique()
    return (
        runs.select("run")
        .unique(maintain_order=True)
        .join(pl.DataFrame({"depth": pl.Series(depths, dtype=pl.Int32)}), how="cross")
        .join(
            found.select("run", "rank", "relevant", "precision"), on="run", how="left", maintain_order="left"
        )
        .group_by("run", "depth", maintain_order=True)
        .agg(
            recall=(1 / pl.col("relevant")).filter(above).sum() / queries,
            map=(pl.col("precision") / pl.col("relevant")).filter(above).sum() / queries,
        )
    )


def _relevant(judgements: pl.DataFrame) -> pl.DataFrame:
    """Return query_id and passage_id of the relevant passages, and how many of them each query has."""
    return judgements.filter(pl.col("relevance") >= 1).select(
        "query_id", "passage_id", relevant=pl.len().over("query_id")
    )


def _recall(relevant: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    return (
        runs.join(relevant, on=("query_id", "passage_id"))
        .group_by("run", "query_id")
        .agg(recall=pl.len() / pl.col("relevant").first())
    )


def _trec_measures(judgements: pl.DataFrame, runs: pl.DataFrame) -> pl.DataFrame:
    evaluator = ir_measures.evaluator(list(_MEASURES.values()), _nested(judgements, pl.col("relevance")))
    names = {measure: name for name, measure in _MEASURES.items()}
    # trec_eval orders by score and breaks ties by passage id. A score derived from the rank has no ties.
    scored = (
        {"run": run, "query_id": metric.query_id, "measure": names[metric.measure], "value": metric.value}
        for run, rows in _by_run(runs)
        for metric in evaluator.iter_calc(_nested(rows, -pl.col("rank").cast(pl.Float64)))
    )
    schema = {"run": pl.String, "query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    return (
        pl.DataFrame(scored, schema=schema)
        .group_by("run", "query_id")
        .agg(pl.col("value").filter(pl.col("measure") == name).first().alias(name) for name in _MEASURES)
    )


def _by_run(runs: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for (run,), rows in runs.group_by("run", maintain_order=True):
        yield str(run), rows


def _nested(frame: pl.DataFrame, value: pl.Expr) -> dict[str, dict[str, float]]:
    """Return {query_id: {passage_id: value}}, the form in which ir-measures takes both its inputs."""
    grouped = frame.group_by("query_id", maintain_order=True).agg("passage_id", value.alias("value"))
    return {
        query: dict(zip(passages, values, strict=True)) for query, passages, values in grouped.iter_rows()
    }
