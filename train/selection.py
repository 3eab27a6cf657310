"""Stage selection: learn which passages of a ranking are the evidence, and when there is none."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from rulerank.answer.membership import POOL
from rulerank.answer.selection import Ranked
from rulerank.files import read_json, write_json
from rulerank.graph.matrix import CITING, Matrix, adjacency
from rulerank.learn.selection import Listed, fit_selection
from rulerank.pipeline.outputs import Outputs
from rulerank.pipeline.paths import EDGE_TABLE, FEATURE_TABLE, RANKERS, SELECTION, TABLES
from rulerank.pipeline.stage import Outcome, stage
from rulerank.settings import Settings
from rulerank.tables import FEATURES

DEPTH = POOL + 10
"""Passages of a list that are read: without the relevant ones it is still a whole list."""

KEYS = ["query_id", "passage_id"]


@stage(
    "selection",
    reads=[FEATURE_TABLE, RANKERS, TABLES, EDGE_TABLE],
    writes=[SELECTION],
    params=["answer.wrong_abstentions"],
)
def main(settings: Settings) -> Outcome:
    """Write `outputs/selection.json`: by model, null where there is nothing to learn from."""
    outputs = Outputs()
    cites = adjacency(outputs.edges, outputs.passages["passage_id"], CITING)
    selections, figures = {}, {}
    for name in sorted(path.stem for path in RANKERS.glob("*.txt")):
        features = [each["name"] for each in read_json(RANKERS / f"{name}.features.json")]
        lists = list(_lists(name, features, outputs, cites))
        fitted = fit_selection(lists, features, settings.answer.wrong_abstentions)
        selections[name] = None if fitted is None else fitted[0].as_json()
        figures[name] = {} if fitted is None else fitted[1]
    write_json(SELECTION, selections)
    return Outcome(figures)


def _lists(name: str, features: list[str], outputs: Outputs, cites: Matrix) -> Iterator[Listed]:
    """Yield the training questions, each with its list by a model that has not seen it."""
    judged = outputs.judgements.filter(pl.col("relevance") > 0)
    sought = dict(judged["query_id"].value_counts().iter_rows())
    rows = outputs.passages.select("passage_id", row=pl.int_range(pl.len()))
    for (query_id,), part in (
        _table(name, features)
        .join(rows, on="passage_id", maintain_order="left")
        .group_by("query_id", maintain_order=True)
    ):
        places = part["row"].to_numpy()
        ranked = Ranked(
            part["log_odds"].to_numpy(),
            cites[places][:, places].toarray(),
            {each: part[each].to_numpy() for each in features},
        )
        yield Listed(part["fold"][0], ranked, (part["relevance"] > 0).to_numpy(), sought[str(query_id)])


def _table(name: str, features: list[str]) -> pl.DataFrame:
    """Return the first `DEPTH` passages of each training question, with their features and log-odds."""
    curve = read_json(RANKERS / f"{name}.calibration.json")
    held_out = pl.read_parquet(RANKERS / f"{name}.held_out.parquet")
    log_odds = np.float64(curve["slope"]) * pl.col("score") + curve["intercept"]
    listed = (
        held_out.with_columns(log_odds=log_odds)
        .sort("query_id", "log_odds", "passage_id", descending=[False, True, False])
        .filter(pl.int_range(pl.len()).over("query_id") < DEPTH)
    )
    described = FEATURES.scan(FEATURE_TABLE).select(*KEYS, *features)
    return listed.lazy().join(described, on=KEYS, maintain_order="left").collect()


if __name__ == "__main__":
    main.run()
