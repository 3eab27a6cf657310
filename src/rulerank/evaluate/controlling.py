"""Whether the first passages of a ranking control: TCA of a ranker's runs."""

from __future__ import annotations

import numpy as np
import polars as pl

from rulerank.arrays import IntArray
from rulerank.authority.shown import with_superseders
from rulerank.authority.supersession import Supersession
from rulerank.authority.tca import closed, tca

DEPTHS = (5, 10)


def controlling(
    judgements: pl.DataFrame, runs: pl.DataFrame, order: Supersession, passage_ids: pl.Series
) -> pl.DataFrame:
    """Average TCA and the rate of closure violations over the judged questions of each run.

    Parameters
    ----------
    judgements : the JUDGEMENTS table
        The gold passages are those with relevance 1 or more.
    runs : the RUNS table
    order : Supersession
        Over the N passages.
    passage_ids : series of N strings
        The passages of the order.

    Returns
    -------
    frame with columns run, queries, and by depth TCA@k, accompanied_TCA@k and closure_violation@k
        `accompanied_TCA` measures the same list with the passages in force put before each voided passage, as
        answers show it. `closure_violation`: a voided passage is shown without any superseder. For a question
        that a run misses, neither holds.

    """
    rows = pl.DataFrame({"passage_id": passage_ids, "row": np.arange(len(passage_ids), dtype=np.int64)})
    relevant = judgements.filter(pl.col("relevance") >= 1).join(rows, on="passage_id", maintain_order="left")
    gold = relevant.group_by("query_id", maintain_order=True).agg(gold="row")
    shown = (
        runs.filter(pl.col("rank") <= max(DEPTHS))
        .sort("rank", maintain_order=True)
        .join(rows, on="passage_id", maintain_order="left")
        .group_by("run", "query_id", maintain_order=True)
        .agg(shown="row")
    )
    asked = (
        runs.select("run")
        .unique(maintain_order=True)
        .join(gold, how="cross")
        .join(shown, on=("run", "query_id"), how="left", maintain_order="left")
    )
    measured = pl.DataFrame(
        [
            {"run": run, **_measured(order, np.array(listed or [], np.int64), np.array(judged, np.int64))}
            for run, judged, listed in asked.select("run", "gold", "shown").iter_rows()
        ]
    )
    return measured.group_by("run", maintain_order=True).agg(
        pl.len().alias("queries"), pl.exclude("queries").mean()
    )


def _measured(order: Supersession, listed: IntArray, gold: IntArray) -> dict[str, float]:
    completed = np.array(with_superseders(order, listed.tolist()), np.int64)
    result = {}
    for k in DEPTHS:
        result[f"TCA@{k}"] = float(tca(order, listed[:k], gold))
        result[f"accompanied_TCA@{k}"] = float(tca(order, completed[:k], gold))
        result[f"closure_violation@{k}"] = float(not closed(order, listed[:k]))
    return result
