"""Stage selection: learn which passages of a ranking are the evidence, and when there is none."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rulerank.answer.membership import POOL
from rulerank.answer.selection import Ranked
from rulerank.files import read_json, write_json
from rulerank.graph.adjacency import CITING, adjacency
from rulerank.learn.ranker.saved import CALIBRATION, COLUMNS, HELD_OUT
from rulerank.learn.selection import ScoredList, fit_selection
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import (
    EDGE_TABLE,
    FEATURE_TABLE,
    OUT_OF_FOLD,
    RANKERS,
    SELECTION,
    TABLES,
    UNANSWERED,
)
from rulerank.pipeline.stage import Outcome, stage
from rulerank.ragged import Ragged
from rulerank.settings import Settings
from rulerank.tables import FEATURES

KEYS = ["query_id", "passage_id"]


@stage(
    "selection",
    reads=[FEATURE_TABLE, RANKERS, OUT_OF_FOLD, UNANSWERED, TABLES, EDGE_TABLE],
    writes=[SELECTION],
    params=["answer.wrong_abstentions"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/selection.json`, by model; null if there is nothing to learn from."""
    outputs = Outputs()
    cites = adjacency(outputs.edges, outputs.passages["passage_id"], CITING)
    selections, figures = {}, {}
    for name in sorted(path.parent.name for path in RANKERS.glob(f"*/{COLUMNS}")):
        features = [each["name"] for each in read_json(RANKERS / name / COLUMNS)]
        lists = list(_lists(_answered(name, features), features, outputs, cites))
        emptied = list(_lists(_unanswered(name, features), features, outputs, cites))
        fitted = fit_selection(lists, emptied, features, settings.answer.wrong_abstentions)
        selections[name] = None if fitted is None else fitted[0].as_json()
        figures[name] = {} if fitted is None else fitted[1]
    write_json(SELECTION, selections)
    return Outcome(figures)


def _lists(table: pl.DataFrame, features: list[str], outputs: Outputs, cites: Ragged) -> Iterator[ScoredList]:
    """Yield the questions of a table, whose rows are contiguous, each with its list."""
    judged = outputs.judgements.filter(pl.col("relevance") > 0)
    sought = dict(judged["query_id"].value_counts().iter_rows())
    rows = outputs.passages.select("passage_id", row=pl.int_range(pl.len()))
    places = table.join(rows, on="passage_id", maintain_order="left")["row"].to_numpy()
    log_odds, relevant = table["log_odds"].to_numpy(), (table["relevance"] > 0).to_numpy()
    described, folds = table.select(features).to_numpy(order="c"), table["fold"].to_numpy()
    blocks = table["query_id"].rle().struct.unnest().with_columns(end=pl.col("len").cum_sum())
    for query_id, size, end in blocks.select("value", "len", "end").iter_rows():
        own = slice(end - size, end)
        ranked = Ranked(
            log_odds[own],
            cites.among(places[own]),
            dict(zip(features, described[own].T, strict=True)),
        )
        yield ScoredList(int(folds[end - size]), ranked, relevant[own], sought[query_id])


def _answered(name: str, features: list[str]) -> pl.DataFrame:
    """Return the first `POOL` passages of each training question that sees all judgements of others."""
    hidden = pl.scan_parquet(OUT_OF_FOLD).filter("hidden").select("query_id").unique().collect()
    held_out = pl.scan_parquet(RANKERS / name / HELD_OUT)
    listed = (
        # A join might change the order of the rows.
        held_out.filter(~pl.col("query_id").is_in(hidden["query_id"].implode()))
        .with_columns(log_odds=_log_odds(name))
        # Ties keep the order of the table, as in a ranking.
        .sort("query_id", "score", descending=[False, True], maintain_order=True)
        .filter(pl.int_range(pl.len()).over("query_id") < POOL)
        .collect()
    )
    # A few thousand of millions of rows are needed; they are filtered while the table is read.
    described = FEATURES.scan(FEATURE_TABLE).select(*KEYS, *features)
    described = described.join(listed.select(KEYS).lazy(), on=KEYS, how="semi")
    return listed.join(described.collect(engine="streaming"), on=KEYS, maintain_order="left")


def _unanswered(name: str, features: list[str]) -> pl.DataFrame:
    """Return the rows that the stage `unanswered` wrote for one model, in the columns of `_answered`."""
    lists = pl.scan_parquet(UNANSWERED).filter(pl.col("model") == name)
    relevance = pl.lit(0, pl.Int8).alias("relevance")
    return lists.select(*KEYS, "fold", *features, relevance, log_odds=_log_odds(name)).collect()


def _log_odds(name: str) -> pl.Expr:
    curve = read_json(RANKERS / name / CALIBRATION)
    return pl.col("score") * float(curve["slope"]) + float(curve["intercept"])


if __name__ == "__main__":
    main.run()
